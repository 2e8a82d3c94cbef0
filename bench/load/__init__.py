"""Plays many tables against several processes of the app, and checks every hand in the books afterwards.

``python -m bench.load`` (`make load`) starts PostgreSQL, PgBouncer in transaction mode, HAProxy, Redis if it is asked
for, and 1, 2 and 4 processes, all on 127.0.0.1 and in a directory that it removes. Phones speak HTTP as real ones do:
each has an event stream, sends its rows as they fill, asks for what others sent, and one of a table's phones previews
and settles.
"""
