"""Pages as a phone has them."""
