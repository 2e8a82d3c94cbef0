"""``python -m bench``."""

from bench import ledger, live, rules

rules.run()
ledger.run()
live.run()
