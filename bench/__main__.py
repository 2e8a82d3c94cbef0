"""``python -m bench`` runs all benchmarks."""

from bench import languages, ledger, live, long_work, pages, rules, statistics, tab, what_if

rules.run()
languages.run()
ledger.run()
long_work.run()
tab.run()
what_if.run()
statistics.run()
live.run()
pages.run()
