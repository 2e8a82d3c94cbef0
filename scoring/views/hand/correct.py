"""Corrects, voids or restores a settled hand. The page first shows what would change, hand by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from scoring import access, drafts, ledger, reads
from scoring.access import Right
from scoring.actions.deals import Correct, Restore, Void
from scoring.forms.hand import RULINGS, CorrectionForm, Part, Reason, prefix
from scoring.forms.late import UNTOUCHED, rebased, touched_by_both
from scoring.game.entry import Entry
from scoring.game.errors import LedgerError
from scoring.game.outcome import Outcome
from scoring.ledger import ImpossibleError
from scoring.models import Deal, Event, Session
from scoring.request import CONFLICT, UNPROCESSABLE, Request, asker, is_key, new_key, sent_key, whole_number
from scoring.rules.board import ROWS
from scoring.rules.houserules import FANTASYLAND_CARDS, resolve
from scoring.texts import gettext as _
from scoring.texts import pgettext_lazy
from scoring.views.hand.form import deal_form_context, with_changed
from scoring.views.hand.rows import Fieldset, fieldset
from scoring.views.hand.same import same_cards, same_points
from scoring.views.shared.asking import (
    Refused,
    carried,
    closed_meanwhile,
    closed_page,
    page,
    refused_shown,
    reopening,
    status_of,
    tried,
    with_since,
)
from scoring.views.shared.frame import frame
from scoring.views.shared.problems import problems
from scoring.views.shared.refusal import choices
from scoring.wording.corrections import moves
from scoring.wording.counts import cards
from scoring.wording.figures import joined, labelled, listed
from scoring.wording.notes import REASONS

# For each hand a field with the host's choice, and one with the choice whose effect the page showed that was sent.
FOLLOW, SEEN = "follow-", "seen-"

VERBS = {
    "correct": pgettext_lazy("button", "Correct"),
    "void": pgettext_lazy("button", "Void"),
    "restore": pgettext_lazy("button", "Restore"),
}


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: Request, public_id: str, number: int) -> HttpResponse:
    """Shows the form for a correction, then its preview; a POST records it."""
    session = access.session(request, public_id, Right.RUN)
    deal = access.deal(session, number)
    # Read a repeated form against the version that it was based on, or its own correction would look like no change.
    done = reads.recorded(session, sent_key(request)) if request.method == "POST" else None
    sent = request.POST if request.method == "POST" else request.GET
    stored, voided = _as_it_counted(deal, before=done)
    form = CorrectionForm(sent, *stored)
    if voided:
        # Another phone voided it. What was typed into this form outlives that.
        form.errors[""] = [_("Hand {number} is void: restore it first.").format(number=number)]
        restoring = reverse(Restore.verb, args=[public_id, number]), _("Restore hand {number}").format(number=number)
        return _form_page(request, session, deal, form, status=CONFLICT, remedy=restoring)
    now = CorrectionForm({}, *stored)
    seen = whole_number(sent.get("revision"))
    was = None if done or seen == deal.revision else _as_it_was(deal, seen)
    if was and was.parts() != now.parts():
        fields, both = _rebased(sent.dict(), was, now)
        form = CorrectionForm(fields, *stored)
        form.errors[""] = [_("Hand {number} was changed since this page was opened.").format(number=number)]
        if form.by_points == now.by_points:
            form.errors[""] += [str(UNTOUCHED)]
        form.errors[""] += touched_by_both(_said(now, both, reads.state(session).players))
        return _form_page(request, session, deal, form, status=CONFLICT)
    entry = form.entry()
    typed = "checked" in sent or request.method == "POST"
    if entry is None or not typed or "edit" in sent:
        status = UNPROCESSABLE if typed and entry is None else 0
        if (status or request.method == "POST") and (closed := closed_meanwhile(session)):
            form.refused(closed.problems)
            status = closed.status
        return _form_page(request, session, deal, form, status=status)
    fields = {**form.all_fields(), "revision": str(deal.revision)}
    change = ChangeRequest(request, session, number, Correct.verb, entry, fields)

    def at_their_fields(refused: Refused) -> HttpResponse:
        form.refused(refused.problems)
        return _form_page(request, session, deal, form, status=refused.status)

    return _answer(change, at_their_fields)


@require_http_methods(["GET", "HEAD", "POST"])
def void(request: Request, public_id: str, number: int) -> HttpResponse:
    """Voids a hand, so that it counts for nothing."""
    return _without_cards(request, public_id, number, Void.verb)


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: Request, public_id: str, number: int) -> HttpResponse:
    """Makes a void hand count again."""
    return _without_cards(request, public_id, number, Restore.verb)


@require_safe
def named(request: Request, public_id: str, number: int) -> HttpResponse:
    """Names the rows of the one player whose cards are being retyped."""
    session = access.session(request, public_id, Right.RUN)
    stored, _voided = _as_it_counted(access.deal(session, number))
    form = CorrectionForm(request.GET, *stored)
    seat = next((seat for seat in form.seats if prefix(seat) == request.GET.get("only")), form.seats[0])
    return render(request, "hand/_named.html", {"entry": _entry(form, seat)})


def _as_it_counted(deal: Deal, before: Event | None = None) -> tuple[tuple[Entry, Outcome], bool]:
    """The deal's entry and outcome as they stand, or stood before an event, and False.

    For a void deal, as they stood when it last counted, and True.
    """
    revisions = [each for each in reads.revisions(deal) if before is None or each.event.n < before.n]
    counted = next((each for each in reversed(revisions) if not each.voided), None)
    stored = reads.stored_deal(deal, counted.n) if counted else None
    outcome = stored.outcome() if stored else None
    if stored is None or outcome is None:
        raise Http404
    return (stored.entry, outcome), revisions[-1].voided


def _as_it_was(deal: Deal, seen: int) -> CorrectionForm | None:
    """The form of the deal as it counted in revision ``seen``, or last before it. None if there is no such one."""
    counted = [each.n for each in reads.revisions(deal) if each.n <= seen and not each.voided]
    stored = reads.stored_deal(deal, counted[-1]) if counted else None
    outcome = stored.outcome() if stored else None
    return CorrectionForm({}, stored.entry, outcome) if stored and outcome else None


def _rebased(
    sent: Mapping[str, str], was: CorrectionForm, now: CorrectionForm
) -> tuple[Mapping[str, str], Collection[Part]]:
    """What was typed over the deal as it ``was``, over the deal as it stands ``now``; and what both have changed.

    If the deal stands by cards and points were typed here, or the other way round, the page stays with what was typed,
    and what it does not show is brought up to date behind it.
    """
    typed, before = CorrectionForm(sent, was.stored, was.outcome), was.parts()
    if typed.by_points and not was.by_points and any(text for text, _gainer in typed.parts().points.values()):
        before = before._replace(points={})  # somebody counted the hand, so what they left blank is 0
    dealt, boards, points = (
        rebased(*parts, _say_the_same) for parts in zip(typed.parts(), before, now.parts(), strict=True)
    )
    stands, other = (points, boards) if now.by_points else (boards, points)
    looks = sent.get("edit") in {"cards", "points"}  # which is no change yet
    chosen = bool(other.here) or (typed.by_points != was.by_points and not looks)
    apart = chosen and typed.by_points != now.by_points
    values = {**dealt.values, **stands.values, **({} if apart or other.here else other.values)}
    fields = {field: text for part, texts in values.items() for field, text in zip(part, texts, strict=True)}
    if apart:
        news = stands.there if was.by_points == now.by_points else set(stands.values)
        return {**sent, **fields}, dealt.both | news
    return {**sent, **fields, "mode": "points" if now.by_points else "cards"}, dealt.both | stands.both


def _say_the_same(texts: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether the fields of a part say the same of a hand. No points are nobody's."""
    if len(texts) > 1 and {texts[0], others[0]} <= {"", "0"}:
        return True
    return [*map(drafts.unordered, texts)] == [*map(drafts.unordered, others)]


def _said(form: CorrectionForm, parts: Collection[Part], names: Mapping[int, str]) -> list[str]:
    """What a form says in these parts; of a board, all of it."""
    said = []
    for seat, board in form.boards.items():
        name, dealt = names[seat], form.cards[seat]
        if not form.by_points and any((f"{prefix(seat)}-{field}",) in parts for field in (*ROWS, "ruling")):
            rows = " / ".join(row or "–" for row in board.rows())
            said.append(labelled(name, joined([rows, str(RULINGS[ruling] if (ruling := form.rulings[seat]) else "")])))
        if (f"{prefix(seat)}-cards",) in parts and dealt:
            said.append(labelled(name, cards(dealt)))
        elif (f"{prefix(seat)}-cards",) in parts and not form.by_points:
            said.append(_("{player} was not in Fantasyland").format(player=name))
    for pair in form.pair_points():
        if form.by_points and pair.fields in parts:
            first, second, gainer = names[pair.first], names[pair.second], names[pair.gainer]
            counted = _("{first} and {second}: {points} to {gainer}")
            said.append(
                labelled(listed([first, second]), "0")
                if pair.text in {"", "0"}
                else counted.format(first=first, second=second, points=pair.text, gainer=gainer)
            )
    if ("button",) in parts:
        said.append(_("{player} had the button").format(player=names[form.button]))
    return said


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """The change that a request asks for: a deal's new entry, None to void it, and the ``fields`` it was typed in."""

    request: Request
    session: Session
    number: int
    verb: str
    entry: Entry | None
    fields: Mapping[str, str]

    @property
    def overrides(self) -> bool:
        """Whether a correction departs from what followed from the hand before, which takes a note (R70)."""
        return self.verb == Correct.verb and self.entry is not None and bool(self.entry.overrides)

    @property
    def sent(self) -> QueryDict:
        return self.request.POST if self.request.method == "POST" else self.request.GET

    @property
    def typed(self) -> bool:
        """Whether somebody has typed something that the page has to keep."""
        return self.request.method == "POST" or self.verb == Correct.verb

    @property
    def follow(self) -> frozenset[int]:
        """The later deals that follow from the change; all others stay as they were dealt (R73)."""
        return self._chosen(FOLLOW)

    @property
    def unseen(self) -> bool:
        """Whether the host made a choice on this page whose effect it did not show. Then that is shown first."""
        return self.request.method == "POST" and ("show" in self.sent or self.follow != self._chosen(SEEN))

    def _chosen(self, field: str) -> frozenset[int]:
        """The deals whose ``field`` says yes: later ones, and a restored one itself."""
        said = [name.removeprefix(field) for name, yes in self.sent.items() if name.startswith(field) and yes == "yes"]
        return frozenset(number for number in map(whole_number, said) if number >= self.number)

    @property
    def reason(self) -> Reason:
        return Reason.read(self.sent)

    @property
    def note(self) -> str:
        return str(self.reason)


def _without_cards(request: Request, public_id: str, number: int, verb: str) -> HttpResponse:
    session = access.session(request, public_id, Right.RUN)
    (entry, _outcome), voided = _as_it_counted(access.deal(session, number))
    change = ChangeRequest(request, session, number, verb, entry if verb == Restore.verb else None, {})
    if request.method != "POST" and voided != (verb == Restore.verb):
        # Another phone was faster. A POST goes to the ledger all the same, which knows a repeat.
        already = (_("Hand {number} is void already.") if voided else _("Hand {number} is not void already.")).format(
            number=number
        )
        return _page(change, problems({"": [already]}, CONFLICT) | {"nothing": True}, status=CONFLICT)

    def nothing_to_do(refused: Refused) -> HttpResponse:
        # Another phone was faster. Once a closed session is open again, the same button may still do it.
        done = refused.status == CONFLICT and session.closed_at is None
        return _page(change, refused_shown(refused) | {"nothing": done}, status=refused.status)

    return _answer(change, nothing_to_do)


def _answer(change: ChangeRequest, cannot_stand: Callable[[Refused], HttpResponse]) -> HttpResponse:
    """Records what was posted, or shows what it would change and why it was refused.

    ``cannot_stand`` makes the response if there is nothing to preview: the changed deal itself is refused, or the
    session was closed while people typed.
    """
    refused = Refused((), status=200)  # nothing so far
    if change.request.method == "POST" and not change.unseen:
        done = tried(change.session, lambda: _do(change))
        if not isinstance(done, Refused):
            return redirect("deal", change.session.public_id, change.number)
        refused = with_since(change.request, change.session, done)
    if change.session.closed_at and not change.typed:
        return closed_page(change.request, change.session, current="deal")
    try:
        correction = ledger.preview_correction(
            session=change.session, number=change.number, entry=change.entry, follow=change.follow, note=change.note
        )
    except ImpossibleError as refusal:
        refused = _besides(refused, refusal)
        context = refused_shown(refused) | {"choices": choices(change.session, refusal)}
        return _page(change, context, status=refused.status)
    except LedgerError as refusal:
        return cannot_stand(_besides(refused, refusal))
    shown = moves(change.session, change.number, correction, change.verb)
    # A page that shows what a choice changes tells nothing of what has happened meanwhile, so the next one comes late.
    untold = UNPROCESSABLE if change.unseen else refused.status
    shown["version"] = carried(change.request, untold, "version", correction.version)
    shown |= {"unseen": change.unseen, **_counting_already(change)}
    return _page(change, refused_shown(refused) | shown, status=refused.status)


def _counting_already(change: ChangeRequest) -> dict[str, int]:
    """Context for ``hand/_same_cards.html``.

    A hand may be restored long after it was entered again under another number, so then it is compared with all of
    them, and points with points.
    """
    if change.entry is None:
        return {}
    session, entry, number = change.session, change.entry, change.number
    if change.verb != Restore.verb:
        return {"same_cards": same_cards(session, entry, apart_from=number)}
    return {
        "same_cards": same_cards(session, entry, apart_from=number, most=session.deals),
        "same_points": same_points(session, entry, apart_from=number),
    }


def _besides(refused: Refused, impossible: LedgerError) -> Refused:
    """Why the preview is impossible, after the reason why the request came too late, if it did.

    Whatever else was refused has the same reasons as the preview.
    """
    if refused.status != CONFLICT:
        return Refused(impossible.problems, status_of(impossible))
    return replace(refused, problems=list(dict.fromkeys([*refused.problems, *impossible.problems])))


def _do(change: ChangeRequest) -> None:
    terms: dict[str, Any] = {
        "session": change.session,
        "number": change.number,
        "follow": change.follow,
        "note": change.note,
        "version": whole_number(change.sent.get("version")),
        "key": sent_key(change.request),
        **asker(change.request),
    }
    if change.verb == Correct.verb and change.entry is not None:
        ledger.correct_deal(entry=change.entry, **terms)
    elif change.verb == Void.verb:
        ledger.void_deal(**terms)
    else:
        first = reads.recorded(change.session, terms["key"]) is None
        ledger.restore_deal(**terms)
        if first:  # sent again, it would put away what has been laid for the next hand since
            drafts.put_away(session=change.session, number=change.number)


def _page(change: ChangeRequest, context: Mapping[str, Any], *, status: int) -> HttpResponse:
    at = [change.session.public_id, change.number]
    chosen = [f"{FOLLOW}{later}" for later in change.follow]
    whole = {
        **frame(change.session, "deal"),
        **reopening(change.session, status),
        "number": change.number,
        "verb": change.verb,
        "does": VERBS[change.verb],
        "address": reverse(change.verb, args=at),
        "here": reverse("deal", args=at),
        "edit": f"?{with_changed(change.sent, edit='1')}" if change.verb == Correct.verb else "",
        "editing": _("Edit points") if change.entry and change.entry.points is not None else _("Edit cards"),
        "as_dealt": f"?{with_changed(change.sent, **dict.fromkeys(chosen, ''))}",
        "fields": change.fields.items(),
        "key": _key(change.session, change.sent),
        "version": carried(change.request, status, "version", change.session.version),
        "reason": change.reason,
        "reasons": REASONS.items() if change.verb == Correct.verb else (),
        "note_needed": change.number < change.session.deals or change.overrides,
        **context,
    }
    return render(change.request, "hand/correct.html", whole, status=status)


def _key(session: Session, sent: QueryDict) -> str:
    """The form's key while nothing is recorded under it; after that a new one, so that the page can be sent again."""
    key = sent.get("key", "")
    return key if is_key(key) and not reads.recorded(session, key) else new_key()


def _form_page(
    request: Request,
    session: Session,
    deal: Deal,
    form: CorrectionForm,
    *,
    status: int,
    remedy: tuple[str, str] | None = None,
) -> HttpResponse:
    number, sent = deal.number, request.POST if request.method == "POST" else request.GET
    names = reads.state(session).players
    rules = resolve(form.outcome.document["rules"])
    context = {
        **deal_form_context(form, names, [_entry(form, seat) for seat in form.seats], rules, status=status),
        "decks": 0 if form.by_points else rules.decks,
        "number": number,
        "form_name": f"correct-{number}{'-points' if form.by_points else ''}",
        "revision": deal.revision,
        "key": _key(session, request.GET),
        "naming": reverse("correct-named", args=[session.public_id, number]),
        "address": reverse("correct", args=[session.public_id, number]),
        "correcting": True,
        "follows": [name for name, yes in sent.items() if re.fullmatch(f"{FOLLOW}[0-9]+", name) and yes == "yes"],
        "here": reverse("deal", args=[session.public_id, number]),
        "buttons": [(seat, names[seat], seat == form.button) for seat in form.buttons if len(form.buttons) > 1],
        "sat_out": names[form.button],
        "ruling_next": not status and sent.get("edit") == "rulings",
        "other_fields": (form.board_fields() if form.by_points else form.points_fields()).items(),
        "players": [(prefix(seat), names[seat], form.rulings[seat], form.cards[seat]) for seat in form.seats],
        "ruled": any(form.rulings.values()),
        "card_counts": [(count, cards(count)) for count in FANTASYLAND_CARDS],
        "reason": form.reason,
        "reasons": REASONS.items(),
        "note_needed": number < session.deals or form.overrides,
    }
    if remedy:
        context["remedy"] = remedy
    return page(request, session, "hand/enter.html", context, current="deal", status=status)


def _entry(form: CorrectionForm, seat: int) -> Fieldset:
    player = form.outcome.document["players"][form.seats.index(seat)]
    return fieldset(
        prefix(seat),
        player["name"],
        form.boards[seat],
        form.outcome.document["rules"],
        errors=form.errors,
        fantasyland=form.cards[seat],
        button=seat == form.button,
        ruling=form.rulings[seat],
    )
