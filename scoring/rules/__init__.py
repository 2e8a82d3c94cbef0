"""The rules engine for Open Face Chinese poker.

It uses the standard library alone: no clock, no randomness, no settings, no database. ``docs/rules.md`` says in
numbered sentences what this package computes. Read the modules in this order:

- ``errors``: refusals, which name every problem of the input at once
- ``cards``: cards, and reading a row of them from text
- ``rows``: how strong three or five cards are
- ``board``: one player's three rows
- ``houserules``: the choices that a table makes
- ``score``: boards against boards, on plain tuples
- ``specials``: the moon and the naturals
- ``fantasyland``: who enters Fantasyland, who stays, and with how many cards
- ``deal``: a whole deal, where rulings and specials come before the ordinary score
- ``unfinished``: a board that lacks cards, and whether any could still make it legal
- ``settle``: who pays whom, and what a cap leaves unpaid
- ``wording``: the sentences of a verdict; ``rulesheet``: one set of house rules in sentences
- ``document``: the whole engine behind one JSON document
"""
