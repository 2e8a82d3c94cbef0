"""The pages, a module each, in rooms named as their templates are."""
