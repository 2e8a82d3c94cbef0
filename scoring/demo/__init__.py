"""The demo: a club of invented people that everybody may look at, made by `manage.py demo`.

It is a club like any other, but that its public id is fixed and that the gate lets everybody read it. The ledger's own
functions wrote what was played in it. Its last evening plays itself as long as somebody looks (`ofcscore.demo`), and
another one takes its place after its last deal.
"""

from scoring.demo.playing import make, move_on, remove, step, there

__all__ = ["make", "move_on", "remove", "step", "there"]
