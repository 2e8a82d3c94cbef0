"""The table between two deals, and what a deal does to it: pure, with no clock, randomness, settings or database."""
