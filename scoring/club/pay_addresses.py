"""How people of a club like to be paid: one address of each kind at most."""

from __future__ import annotations

from scoring.club.lock import check_there, lock_club
from scoring.club.pay_kinds import kind_of
from scoring.game.errors import refuse
from scoring.models import PayAddress, Player
from scoring.rules.phrase import Phrase
from scoring.transactions import writing


def pay_addresses(player: Player) -> list[PayAddress]:
    """The player's addresses, in the order in which the kinds are offered."""
    order = list(PayAddress.Kind)
    return sorted(PayAddress.objects.filter(player=player), key=lambda each: order.index(PayAddress.Kind(each.kind)))


def add_pay_address(player: Player, kind: str, value: str) -> None:
    """Keep an address for the player. Raises `LedgerError` if it is none, or if they have another of this kind.

    The same address sent twice is kept once.
    """
    value = kind_of(kind).read(value)
    with writing():
        lock_club(player.club_id)
        check_there(player)
        kept = PayAddress.objects.filter(player=player, kind=kind).first()
        if kept is None:
            PayAddress.objects.create(player=player, kind=kind, value=value)
        elif kept.value != value:
            said = Phrase(
                "{player} already has an address for {label}. Remove that one first.",
                player=player.name,
                label=kind_of(kind).label,
            )
            raise refuse("duplicate", "kind", said)


def remove_pay_address(player: Player, kind: str, value: str) -> None:
    """Forget this address, if the player has it. Raises `LedgerError` if they have another one of its kind by now."""
    with writing():
        lock_club(player.club_id)
        kept = PayAddress.objects.filter(player=player, kind=kind)
        if kept.exclude(value=value).exists():
            raise refuse("stale", "", Phrase("This address was changed since this page was opened."))
        kept.delete()


def left_addresses(player: Player, into: Player) -> list[PayAddress]:
    """The addresses of ``player`` for which ``into`` has another one of the same kind."""
    has = {each.kind: each.value for each in pay_addresses(into)}
    return [each for each in pay_addresses(player) if has.get(each.kind, each.value) != each.value]


def merge_pay_addresses(player: Player, into: Player) -> None:
    """Give ``into`` the addresses of the kinds that they lack, as part of merging the two."""
    has = PayAddress.objects.filter(player=into).values_list("kind", flat=True)
    PayAddress.objects.filter(player=player).exclude(kind__in=list(has)).update(player=into)
