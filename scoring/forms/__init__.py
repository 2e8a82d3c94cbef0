"""Text typed at the table, and what it may become.

Forms translate: what cannot be read comes back as typed, each problem at the field that caused it. What cards are worth
is the rules' business, what may be written the ledger's.
"""
