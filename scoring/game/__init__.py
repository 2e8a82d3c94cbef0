"""The table between two deals, and what a deal does to it. Pure: no clock, chance, settings or database."""
