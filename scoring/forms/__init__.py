"""Forms turn text typed at the table into values that the ledger and the rules take.

A form shows unreadable text again as it was typed, with each problem at the field that caused it. Forms do not know
what cards are worth, which is up to the rules, or what may be recorded, which is up to the ledger.
"""
