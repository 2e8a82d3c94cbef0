from scoring.club.ending import drop_idle, erase, idle_since
from scoring.club.people import found, merge, rename, rename_player, retire
from scoring.club.terms import forget_rules, rules_name, save_rules, set_usual_stake, usual_stakes

__all__ = [
    "drop_idle",
    "erase",
    "forget_rules",
    "found",
    "idle_since",
    "merge",
    "rename",
    "rename_player",
    "retire",
    "rules_name",
    "save_rules",
    "set_usual_stake",
    "usual_stakes",
]
