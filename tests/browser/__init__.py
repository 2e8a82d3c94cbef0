"""Tests in a browser, at the size of a phone."""
