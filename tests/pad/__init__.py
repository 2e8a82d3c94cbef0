"""The hand while it is entered on several phones."""
