"""What a host does to the club itself: its name, its people and how they like to be paid, its tab, usual stakes,
saved rules, and deletions. And what the demo does to its own club.

Nothing here changes what was played. A seat keeps the name that its player had when they sat down, and sessions are
deleted whole or not at all.
"""

from scoring.club.demo import new_demo_club, take_back_last
from scoring.club.ending import drop_idle, erase, idle_since
from scoring.club.pay_addresses import add_pay_address, pay_addresses, remove_pay_address
from scoring.club.pay_kinds import KINDS, Bill, PayCard
from scoring.club.people import (
    check_names,
    left_behind,
    merge,
    names_at_rest,
    names_seen,
    new_club,
    rename,
    rename_player,
    retire,
)
from scoring.club.tab import Due, open_among, pay_tab, pay_tab_among, tab_at_rest, undo_tab_payment
from scoring.club.terms import (
    check_saved_rules,
    check_usual_stakes,
    forget_rules,
    pair_of,
    pairs_of,
    rules_gone,
    rules_name,
    rules_seen,
    save_rules,
    saved_rules_at_rest,
    set_usual_stake,
    stake_seen,
    usual_stakes,
)

__all__ = [
    "KINDS",
    "Bill",
    "Due",
    "PayCard",
    "add_pay_address",
    "check_names",
    "check_saved_rules",
    "check_usual_stakes",
    "drop_idle",
    "erase",
    "forget_rules",
    "idle_since",
    "left_behind",
    "merge",
    "names_at_rest",
    "names_seen",
    "new_club",
    "new_demo_club",
    "open_among",
    "pair_of",
    "pairs_of",
    "pay_addresses",
    "pay_tab",
    "pay_tab_among",
    "remove_pay_address",
    "rename",
    "rename_player",
    "retire",
    "rules_gone",
    "rules_name",
    "rules_seen",
    "save_rules",
    "saved_rules_at_rest",
    "set_usual_stake",
    "stake_seen",
    "tab_at_rest",
    "take_back_last",
    "undo_tab_payment",
    "usual_stakes",
]
