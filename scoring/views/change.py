"""Correct, void or restore a settled hand: first what would move, hand by hand, then the button that does it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from scoring import access, ledger, queries
from scoring.access import Right
from scoring.forms.hand import CorrectionForm, prefix
from scoring.http import CONFLICT, UNPROCESSABLE, Request, asker, is_key, new_key, sent_key, whole_number
from scoring.models import Deal, Event, Session
from scoring.record import Stored
from scoring.replay import Change, Correction, ImpossibleError, Later
from scoring.rules.houserules import FANTASYLAND_CARDS, resolve
from scoring.table import Outcome
from scoring.views.asking import closed_page
from scoring.views.enter import following, hand_form_context, with_changed
from scoring.views.entry import Entry, entry
from scoring.views.frame import frame
from scoring.views.shown import listed, outcome_shown, signed, signed_money

VERBS = {"correct": "Correct", "void": "Void", "restore": "Restore"}
REASONS = {"stacks": "the stacks", "fantasyland": "Fantasyland", "button": "the button"}


@dataclass(frozen=True, slots=True)
class PlayerMoved:
    """One player of a hand that is settled again: what he had won in it, and what he will have."""

    name: str
    before: str
    after: str
    money_before: str
    money_after: str
    moved: bool


@dataclass(frozen=True, slots=True)
class HandMoved:
    """One hand that is settled again, and why."""

    number: int
    because: str
    players: list[PlayerMoved]

    @property
    def moved(self) -> bool:
        """Somebody wins or loses something else than before."""
        return any(player.moved for player in self.players)


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: Request, public_id: str, number: int) -> HttpResponse:
    """Type a settled hand anew; what it would move is shown before anything is written."""
    session = access.session(request, public_id, Right.RUN)
    deal = access.deal(session, number)
    # Sent again, a form is read against the hand that it was about: what it has done itself is not what it changes.
    done = queries.recorded(session, sent_key(request)) if request.method == "POST" else None
    stored = _stored(deal, before=done)
    outcome = stored.outcome()
    if outcome is None:
        raise Http404
    if session.closed_at and request.method != "POST":
        return closed_page(request, session, current="deal")
    sent = request.POST if request.method == "POST" else request.GET
    form = CorrectionForm(sent, stored.entry, outcome)
    hand = form.entry()
    typed = "checked" in sent or request.method == "POST"
    if hand is None or not typed or "edit" in sent:
        return _form_page(request, session, number, form, wrong=typed and hand is None)
    answer = _answer(Ask(request, session, number, "correct", hand, form.all_fields()))
    if isinstance(answer, ledger.LedgerError):
        form.refused(answer.problems)
        return _form_page(request, session, number, form, wrong=True)
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def void(request: Request, public_id: str, number: int) -> HttpResponse:
    """Let a hand count for nothing."""
    return _without_cards(request, public_id, number, "void")


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: Request, public_id: str, number: int) -> HttpResponse:
    """Let a void hand count again."""
    return _without_cards(request, public_id, number, "restore")


@require_safe
def named(request: Request, public_id: str, number: int) -> HttpResponse:
    """Names for the rows of the one player that is being typed anew."""
    session = access.session(request, public_id, Right.RUN)
    stored = _stored(access.deal(session, number))
    outcome = stored.outcome()
    if outcome is None:
        raise Http404
    form = CorrectionForm(request.GET, stored.entry, outcome)
    seat = next((seat for seat in form.seats if prefix(seat) == request.GET.get("only")), form.seats[0])
    return render(request, "_named.html", {"entry": _entry(form, seat)})


def _stored(deal: Deal, before: Event | None = None) -> Stored:
    stored = queries.version(deal, before=before)
    if stored is None:
        raise Http404
    return stored


@dataclass(frozen=True, slots=True)
class Ask:
    """A change asked for: of which hand, what it should be (None: void), and the ``fields`` in which that was typed."""

    request: Request
    session: Session
    number: int
    verb: str
    hand: ledger.Entry | None
    fields: Mapping[str, str]

    @property
    def sent(self) -> QueryDict:
        """What came with the request."""
        return self.request.POST if self.request.method == "POST" else self.request.GET

    @property
    def later(self) -> Later:
        """What becomes of the hands after it."""
        return "as-played" if self.sent.get("later") == "as-played" else "follow"

    @property
    def note(self) -> str:
        """Why."""
        return self.sent.get("note", "").strip()


def _without_cards(request: Request, public_id: str, number: int, verb: str) -> HttpResponse:
    session = access.session(request, public_id, Right.RUN)
    stored = _stored(access.deal(session, number))
    if request.method != "POST" and stored.revision.voided != (verb == "restore"):
        raise Http404  # what was sent is the ledger's to answer: sent again, it is done already
    ask = Ask(request, session, number, verb, stored.entry if verb == "restore" else None, {})
    answer = _answer(ask)
    if isinstance(answer, ledger.LedgerError):
        return _page(ask, _wrong(answer), status=UNPROCESSABLE)
    return answer


def _answer(ask: Ask) -> HttpResponse | ledger.LedgerError:
    """Do it, or show what it would move and why it was refused; the refusal where the hand itself cannot stand so."""
    refused: dict[str, Any] = {}
    status = 200
    if ask.request.method == "POST":
        try:
            _do(ask)
        except ledger.Conflict as conflict:
            ask, refused, status = replace(ask, session=conflict.session), _wrong(conflict), CONFLICT
        except ledger.LedgerError as refusal:
            refused, status = _wrong(refusal), UNPROCESSABLE
        else:
            return redirect("deal", ask.session.public_id, ask.number)
    if ask.session.closed_at:
        return closed_page(ask.request, ask.session, current="deal", refused=refused, status=status)
    try:
        moved = ledger.preview_correction(
            session=ask.session, number=ask.number, entry=ask.hand, later=ask.later, note=ask.note
        )
    except ImpossibleError as refusal:
        return _page(ask, _wrong(refusal) | {"choices": choices(ask.session, refusal)}, status=UNPROCESSABLE)
    except ledger.LedgerError as refusal:
        return refusal
    return _page(ask, refused | moves(ask.session, ask.number, moved), status=status)


def _do(ask: Ask) -> None:
    terms: dict[str, Any] = {
        "session": ask.session,
        "number": ask.number,
        "later": ask.later,
        "note": ask.note,
        "version": whole_number(ask.sent.get("version")),
        "key": sent_key(ask.request),
        "by": asker(ask.request),
    }
    if ask.verb == "correct" and ask.hand is not None:
        ledger.correct_deal(entry=ask.hand, **terms)
    elif ask.verb == "void":
        ledger.void_deal(**terms)
    else:
        ledger.restore_deal(**terms)


def _page(ask: Ask, context: Mapping[str, Any], *, status: int) -> HttpResponse:
    at = [ask.session.public_id, ask.number]
    whole = {
        **frame(ask.session, "deal"),
        "number": ask.number,
        "verb": ask.verb,
        "does": VERBS[ask.verb],
        "address": reverse(ask.verb, args=at),
        "here": reverse("deal", args=at),
        "edit": f"?{with_changed(ask.sent, edit='1')}" if ask.verb == "correct" else "",
        "as_played": f"?{with_changed(ask.sent, later='as-played')}",
        "later": ask.later,
        "fields": ask.fields.items(),
        "key": _key(ask.session, ask.sent),
        "version": ask.session.version,
        "note": ask.note,
        "note_needed": ask.number < ask.session.deals,
        **context,
    }
    return render(ask.request, "change.html", whole, status=status)


def _key(session: Session, sent: QueryDict) -> str:
    """The form's key while it has done nothing yet; then another one, so that one more tap sends what stands in it."""
    key = sent.get("key", "")
    return key if is_key(key) and not queries.recorded(session, key) else new_key()


def _wrong(refusal: ledger.LedgerError | ledger.Conflict) -> dict[str, Any]:
    messages = [str(refusal)]
    if isinstance(refusal, ledger.LedgerError):
        messages = [problem.message for problem in refusal.problems]
    return {"problems": len(messages), "errors": messages}


def choices(session: Session, refusal: ImpossibleError) -> list[tuple[str, str]]:
    """What can be done where a later hand stands in the way: where that is done, and a sentence."""
    at = session.public_id
    ways = {
        "as-played": "",
        "buy-in": f"{reverse('forgotten', args=[at])}?before={refusal.number}",
        "void": reverse("void", args=[at, refusal.number]),
        "adjust": reverse("side-bet", args=[at]),
    }
    return [(ways[choice], sentence) for choice, sentence in refusal.choices.items()]


def moves(session: Session, number: int, moved: Correction) -> dict[str, Any]:
    """What ``_moves.html`` shows of a change; ``number`` is the hand that was changed itself, 0 if none was."""
    others = [_hand_moved(session, change) for change in moved.changes if change.number != number]
    own = next((change for change in moved.changes if change.number == number), None)
    return {
        **(outcome_shown(own.after, session) if own and own.after else {}),
        "own": _hand_moved(session, own) if own else None,
        "others": [hand for hand in others if hand.moved],
        "unmoved": listed([f"hand {hand.number}" for hand in others if not hand.moved] or [""]),
        "in_all": _in_all(session, moved) if len(moved.changes) > 1 else [],
        "nothing": not moved.changes,
        "version": moved.version,
        "table_moves": following(moved.after) if following(moved.before) != following(moved.after) else [],
    }


def _hand_moved(session: Session, change: Change) -> HandMoved:
    before, after = _won(change.before), _won(change.after)
    digits = session.minor_digits
    return HandMoved(
        number=change.number,
        because=listed([REASONS[reason] for reason in change.because if reason in REASONS] or [""]),
        players=[
            PlayerMoved(
                name=name,
                before=signed(before[name][0]),
                after=signed(after[name][0]),
                money_before=signed_money(before[name][1], digits),
                money_after=signed_money(after[name][1], digits),
                moved=before[name] != after[name],
            )
            for name in dict.fromkeys([*before, *after])
        ],
    )


def _won(outcome: Outcome | None) -> defaultdict[str, tuple[int, int]]:
    """Points and money by name; a void hand won nobody anything."""
    players = outcome.result["players"] if outcome else ()
    return defaultdict(lambda: (0, 0), {player["name"]: (player["points"], player["money"]) for player in players})


def _in_all(session: Session, moved: Correction) -> list[tuple[str, str, str]]:
    """What all changes together are worth to each player: name, points, money."""
    points: dict[str, int] = defaultdict(int)
    money: dict[str, int] = defaultdict(int)
    for change in moved.changes:
        for outcome, sign in ((change.before, -1), (change.after, 1)):
            for name, (won, paid) in _won(outcome).items():
                points[name] += sign * won
                money[name] += sign * paid
    return [(name, signed(points[name]), signed_money(money[name], session.minor_digits)) for name in points]


def _form_page(request: Request, session: Session, number: int, form: CorrectionForm, *, wrong: bool) -> HttpResponse:
    names = {seat: player["name"] for seat, player in zip(form.seats, form.outcome.document["players"], strict=True)}
    context = {
        **frame(session, "deal"),
        **hand_form_context(
            form, names, [_entry(form, seat) for seat in form.seats], resolve(form.outcome.document["rules"])
        ),
        "number": number,
        "key": _key(session, request.GET),
        "naming": reverse("correct-named", args=[session.public_id, number]),
        "address": reverse("correct", args=[session.public_id, number]),
        "correcting": True,
        "here": reverse("deal", args=[session.public_id, number]),
        "buttons": [(seat, names[seat], seat == form.button) for seat in form.seats],
        "flags": [(f"{prefix(seat)}-cards", names[seat], form.cards[seat]) for seat in form.seats],
        "card_counts": FANTASYLAND_CARDS,
        "note": form.note,
        "note_needed": number < session.deals,
    }
    return render(request, "enter.html", context, status=UNPROCESSABLE if wrong else 200)


def _entry(form: CorrectionForm, seat: int) -> Entry:
    player = form.outcome.document["players"][form.seats.index(seat)]
    return entry(
        prefix(seat),
        player["name"],
        form.boards[seat],
        form.outcome.document["rules"],
        errors=form.errors,
        fantasyland=form.cards[seat],
        button=seat == form.button,
        ruling=form.rulings[seat],
    )
