"""Benchmarks, run by `make bench`. Each prints ratios of things measured side by side in one run. None is a test."""
