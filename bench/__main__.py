"""``python -m bench`` runs all benchmarks."""

from bench import ledger, live, long_work, pages, rules

rules.run()
ledger.run()
long_work.run()
live.run()
pages.run()
