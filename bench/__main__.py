"""``python -m bench`` runs all benchmarks."""

from bench import ledger, live, pages, rules

rules.run()
ledger.run()
live.run()
pages.run()
