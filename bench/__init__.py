"""Figures, printed as ratios between things measured side by side in one run; `make bench`. Nothing here is a test."""
