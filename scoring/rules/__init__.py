"""The game of Open Face Chinese poker: standard library only, no clock, no chance, no settings, no database.

``docs/rules.md`` says in numbered sentences what this package computes. Read it in this order: ``cards`` (one card, one
row of text), ``rows`` (what three or five cards are worth), ``board`` (one player's three rows), ``houserules`` (what
the table agreed), ``score`` (boards against boards), ``settle`` (who pays whom), ``wording`` (the sentences) and
``document`` (all of it as JSON).
"""
