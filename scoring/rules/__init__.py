"""The game of Open Face Chinese poker: standard library only, no clock, no chance, no settings, no database.

``docs/rules.md`` says in numbered sentences what this package computes. Read it in this order:

- ``errors``: what is wrong with input, all of it at once
- ``cards``: one card, one row of text
- ``rows``: what three or five cards are worth
- ``board``: one player's three rows
- ``houserules``: what the table agreed
- ``score``: boards against boards, on plain tuples
- ``specials``: the moon and the naturals
- ``fantasyland``: who goes there, who stays, with how many cards
- ``deal``: a whole deal, with rulings and specials in front of the score
- ``settle``: who pays whom, and what a cap leaves unpaid
- ``wording``: the sentences of a verdict; ``rulesheet``: one set of house rules in sentences
- ``document``: all of it as JSON
"""
