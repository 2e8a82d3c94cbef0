"""``python -m bench`` runs all benchmarks."""

from bench import ledger, live, long_work, pages, rules, tab

rules.run()
ledger.run()
long_work.run()
tab.run()
live.run()
pages.run()
