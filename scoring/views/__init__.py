"""One module for each page, in rooms named like the template folders."""
