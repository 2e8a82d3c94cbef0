"""What the audit promises of deals: their numbers, their versions, and that today's engine settles them alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from scoring.actions.deals import Settle
from scoring.game.outcome import same_document
from scoring.ledger.audit.case import Case, listed, without_gaps
from scoring.ledger.load import Stored
from scoring.models import Deal, Transfer
from scoring.rules.document import score
from scoring.rules.errors import RulesError

_WORDING: Final = frozenset({"why", "foul_reason", "name"})


def scored(case: Case) -> Iterator[str]:
    """Today's engine gives every deal the stored numbers for boards and pairs (its sentences may have changed)."""
    for number, deal in case.deals.items():
        if not deal.revision.voided and (differs := rescored(deal)):
            yield f"deal {number}: {differs}"


def rescored(deal: Stored) -> str:
    """A sentence on how a stored deal differs from the engine's answer to its document; empty if it does not."""
    document = deal.revision.document
    try:
        answer = score(document)
        outcome = deal.outcome()
    except RulesError as error:
        return f"the engine refuses it: {error}"
    except ValueError:
        return "it has not as many boards as players"
    stored = outcome.result if outcome else {}
    for part in ("players", "pairs"):
        if len(stored[part]) != len(answer[part]):
            return f"{len(stored[part])} {part} are stored, the engine has {len(answer[part])}"
        for one, now in zip(stored[part], answer[part], strict=True):
            for key in sorted(now.keys() | one.keys()):
                if key not in _WORDING and _numbers(one.get(key)) != _numbers(now.get(key)):
                    who = " and ".join(now["players"]) if part == "pairs" else now["name"]
                    return f"{key} of {who} is {one.get(key)}, the engine says {now.get(key)}"
    return ""


def _numbers(value: Any) -> Any:
    """The value without any wording in it."""
    if isinstance(value, dict):
        return {key: _numbers(part) for key, part in value.items() if key not in _WORDING}
    return value


def settled(case: Case) -> Iterator[str]:
    """The lines of each current revision match its pairs: the two seats, the points, and the amount paid."""
    own: dict[int | None, list[Transfer]] = defaultdict(list)
    for transfer in case.transfers:
        if transfer.kind == "deal" and transfer.reverses_id is None:
            own[transfer.revision_id].append(transfer)
    for number, deal in case.deals.items():
        outcome = None
        if len(deal.boards) == len((deal.revision.document or {}).get("players", ())):
            outcome = deal.outcome()
        lines = [case.line(transfer) for transfer in own[deal.revision.pk]]
        if None not in lines and sorted(filter(None, lines)) != sorted(outcome.lines() if outcome else []):
            yield f"deal {number}: its lines are not its pairs"


def numbered_revisions(case: Case) -> Iterator[str]:
    """Every revision of a deal exists, and the last one counts."""
    found: dict[int, list[int]] = defaultdict(list)
    for revision in case.revisions:
        found[revision.deal.number].append(revision.n)
    for deal in Deal.objects.filter(session=case.session).order_by("number"):
        if not without_gaps(found[deal.number], deal.revision):
            yield f"deal {deal.number} has revisions {listed(found[deal.number])}, and number {deal.revision} counts"


def own_revision(case: Case) -> Iterator[str]:
    """A line of a deal belongs to the revision of that deal which its event made, also if it reverses another line."""
    made = {(revision.event_id, revision.deal.number): revision.pk for revision in case.revisions}
    for transfer in case.transfers:
        if transfer.kind == "deal" and transfer.revision_id != made.get((transfer.event_id, transfer.deal_number)):
            yield f"line {transfer.pk} belongs to a revision that its event did not make"


def frozen_deals(case: Case) -> Iterator[str]:
    """A deal's boards and pairs match its document in names, cards, rulings, Fantasyland, stacks and stakes."""
    names = {seat.pk: seat.name for seat in case.seats}
    for number, deal in case.deals.items():
        document = deal.revision.document
        if document is None:
            continue
        stored = [
            (
                names.get(board.seat_id),
                board.front,
                board.middle,
                board.back,
                board.ruling,
                board.fantasyland_cards,
                board.stack_before,
            )
            for board in deal.boards
        ]
        said = [
            (
                player["name"],
                *(player.get(part, "") for part in ("front", "middle", "back", "ruling")),
                player.get("fantasyland_cards", 0),
                player.get("stack"),
            )
            for player in document["players"]
        ]
        if stored != said:
            yield f"deal {number}: its boards are not those of its document"
        stakes = {frozenset(each["players"]): each["stake"] for each in document["pair_stakes"]}
        for pair in deal.pairs:
            between = frozenset({names.get(pair.first_id, ""), names.get(pair.second_id, "")})
            if pair.stake != stakes.get(between, document["stake"]):
                yield f"deal {number}: the stake of {' and '.join(sorted(between))} is not that of its document"


def numbered_deals(case: Case) -> Iterator[str]:
    """Deals are numbered without gaps up to the session's count, and one event settled each."""
    numbers = sorted(Deal.objects.filter(session=case.session).values_list("number", flat=True))
    if not without_gaps(numbers, case.session.deals):
        yield f"deals are numbered {listed(numbers)}, the session has {case.session.deals}"
    settling = [event.deal for event in case.events if event.verb == Settle.verb]
    if settling != numbers:
        yield f"deals {listed(numbers)} were settled by events about {listed(settling)}"


def remarked(case: Case) -> Iterator[str]:
    """What is remarked of a settlement is about seats of its session, and about deals before its own."""
    seats = {seat.number for seat in case.seats}
    for event in case.events:
        if event.verb != Settle.verb:
            continue
        changed, other_cards = Settle.read(event.action).remark
        if strangers := {seat for seat, _ in (*changed, *other_cards)} - seats:
            yield f"event {event.n} remarks on seats {listed(sorted(strangers))}, which the session does not have"
        if later := {number for _, number in other_cards if number >= (event.deal or 0)}:
            yield f"event {event.n} remarks on deals {listed(sorted(later))}, which are not before its own"


def follows(case: Case) -> Iterator[str]:
    """Each deal's button and Fantasyland follow from what came before, or the deal carries the host's note why not."""
    for step, table in case.played[0]:
        if step.deal is None or step.deal.revision.voided:
            continue
        deal, revision, entry = step.deal, step.deal.revision, step.deal.entry
        played = table.as_played(entry)
        dealt = {case.numbers.get(board.seat_id): board.fantasyland_cards for board in deal.boards}
        if revision.button != played.button or dealt != {seat: played.dealt_at_once(seat) for seat in played.lineup()}:
            yield f"deal {deal.number}: button or Fantasyland is not what followed"
        if revision.next_button != table.after_deal(entry, deal.gains()).button:
            yield f"deal {deal.number}: the button does not go where it says"
        if revision.note != table.note_for(entry) or (entry.overrides and not revision.note):
            yield f"deal {deal.number}: it does not carry the note why button or Fantasyland was set"


def replayed(case: Case) -> Iterator[str]:
    """The script can be replayed, and every deal was settled on the table that the replay reaches before it."""
    steps, _, trouble = case.played
    if trouble:
        yield f"its script breaks off after {len(steps)} steps: {trouble}"
    for step, table in steps:
        if step.deal is None or step.deal.revision.document is None:
            continue
        document, now = step.deal.revision.document, table.score_document(step.deal.entry)
        if not same_document(document, now):
            yield f"deal {step.deal.number}: it was settled on something other than the table was"
