"""One evening, written once and driven in each engine that phones have."""
