"""A club's spreadsheet: a second computation from the club's document confirms every figure, as do its own formulas."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from scoring import club, ledger, reads
from scoring.actions.side_bet import SideBet
from scoring.exports import club_workbook
from scoring.game.lines import Category, kinds_of
from scoring.models import Club, Player, Session
from tests.access.conftest import host
from tests.actions.everything import everything, for_cash
from tests.exports.formulas import Calculator
from tests.exports.test_statistics import FEW, exact, quotient, share
from tests.ledger.conftest import LEVEL, act, key, settle, start
from tests.ledger.test_random_evenings import something
from tests.reads.test_statistics import (
    ROWS,
    Said,
    evenings,
    exported,
    naive,
    net,
    pair,
    parts,
    random_evening,
    records,
)

pytestmark = pytest.mark.django_db

SHEETS = ["Standings", "Records", "Players", "Pairs", "Results", "Sessions"]


class Written:
    """A club's workbook in a file, and the club's document."""

    def __init__(self, of: Club, folder: Path) -> None:
        reads.forget_cached()
        file = folder / "club.xlsx"
        club_workbook.of_club(of, file, lambda: None)
        self.book, self.shown = load_workbook(file), load_workbook(file, data_only=True)
        self.sessions = exported(of)
        self.players = {
            player.name: [
                next((seat["name"] for seat in session["seats"] if seat["player"] == player.name), "")
                for session in self.sessions
            ]
            for player in Player.objects.filter(club=of)
        }
        stored = Session.objects.filter(club=of).order_by("opened_at", "pk")
        self.called = [session.name or f"{session.opened_at:%Y-%m-%d}" for session in stored]
        self.currencies = sorted({(each["currency"], each["minor_digits"]) for each in self.sessions})

    def table(self, sheet: str) -> list[dict[str, Any]]:
        heading, *rows = self.shown[sheet].iter_rows(values_only=True)
        assert len(set(heading)) == len(heading)
        return [{key: exact(cell) for key, cell in zip(heading, row, strict=True)} for row in rows]


def in_units(minor: int, digits: int) -> Decimal:
    return Decimal(minor).scaleb(-digits)


def figures(written: Written, name: str) -> Said:
    """Everything that the sheet Players says of a player."""
    who = written.players[name]
    these, said = parts(written.sessions, who), naive(written.sessions, who)
    rows = pair(these, None)
    hands, points, money, deals_for = said["result"]
    found: Said = {
        "Player": name,
        "Sessions": len({part.at[0] for part in these}),
        "Hands": hands,
        "Points": points,
        "Points per hand": quotient(points, hands, 1),
        "Opponents whose rows were compared": rows["compared"],
        "Opponents in hands with boards": rows["scored"],
        "Hands with boards": said["boards"],
        "Fouls": said["fouls"],
        "Fouls, share of hands with boards": share(said["fouls"], said["boards"], said["boards"]),
        "Hands in Fantasyland": said["in_fantasyland"][0],
        "Fantasyland entered": said["entered"],
        "Fantasyland entered, share of hands": share(said["entered"], hands, hands),
        "Fantasyland stayed": said["stayed"],
        "Hands against Fantasyland": said["against"][0],
    }
    for currency in written.currencies:
        code, digits = currency
        if len(written.currencies) > 1:
            found[f"Hands for {code}"] = deals_for[currency]
        amount = in_units(money.get(currency, 0), digits)
        found[f"Money ({code})"] = amount
        found[f"Money per hand ({code})"] = quotient(amount, deals_for[currency], digits)
        for key_, label in (("in_fantasyland", "in Fantasyland"), ("against", "against Fantasyland")):
            found[f"Money {label} ({code})"] = in_units(said[key_][2].get(currency, 0), digits)
    for at, row in enumerate(ROWS):
        found[f"{row.capitalize()} won"], found[f"{row.capitalize()} lost"] = rows["won"][at], rows["lost"][at]
    for key_ in ("taken", "given"):
        found[f"Scoops {key_}"] = rows[key_]
        found[f"Scoops {key_}, share of opponents"] = share(rows[key_], rows["scored"], said["boards"])
    for row, sum_ in zip((*ROWS, "all rows"), (*said["royalties"], sum(said["royalties"])), strict=True):
        found |= {f"Royalties, {row}": sum_, f"Royalties per hand, {row}": quotient(sum_, said["boards"], 1)}
    for key_, label in (("in_fantasyland", "in Fantasyland"), ("against", "against Fantasyland")):
        often, won = said[key_][:2]
        found |= {f"Points {label}": won, f"Points per hand {label}": quotient(won, often, 1)}
    sittings = zip(("Best session", "Worst session"), evenings(written.sessions, who), strict=True)
    for label, sitting in sittings:
        found |= extreme(written, label, sitting and (sitting[0], sitting[1], sitting[2]))
        found[label] = sitting and written.called[sitting[0]]
    for label, hand in (("Best hand", said["best"]), ("Worst hand", said["worst"])):
        found |= extreme(written, label, hand and (hand[0][0], hand[1], hand[2]))
        found |= {f"{label}: session": hand and written.called[hand[0][0]], f"{label}: number": hand and hand[0][1]}
    for key_, label, length in (
        ("longest", "Longest Fantasyland", "Longest Fantasyland, in hands"),
        ("won_in_a_row", "Most hands won in a row", "Most hands won in a row"),
        ("lost_in_a_row", "Most hands lost in a row", "Most hands lost in a row"),
    ):
        run = said[key_]
        found[length] = run[0] if run else 0
        for end, at in (("first", 1), ("last", 2)):
            found[f"{label}: session of the {end} hand"] = run and written.called[run[at][0]]
            found[f"{label}: {end} hand"] = run and run[at][1]
    every = [part.place for names in written.players.values() for part in parts(written.sessions, names)]
    for place in range(1, max(every) + 1):
        often, won = said["places"].get(place, (0, 0))[:2]
        label = f"{['1st', '2nd', '3rd', '4th', '5th'][place - 1]} after the button"
        found |= {f"{label}: hands": often, f"{label}: points": won}
        found[f"{label}: points per hand"] = quotient(won, often, 1)
    return found


def extreme(written: Written, label: str, best: tuple[int, int, int] | None) -> Said:
    """The points of a best hand or session, and the money in its own currency alone."""
    found: Said = {f"{label}: money ({code})": None for code, _ in written.currencies}
    if best:
        session = written.sessions[best[0]]
        found[f"{label}: money ({session['currency']})"] = in_units(best[2], session["minor_digits"])
    return {**found, f"{label}: points": best and best[1]}


def players_agree(written: Written) -> None:
    """Assert that the second computation confirms every figure of everyone who was dealt in."""
    shown = {line["Player"]: line for line in written.table("Players") if "fewer than 20" not in line["Player"]}
    played = {name for name, who in written.players.items() if parts(written.sessions, who)}
    assert shown.keys() == played
    for name in played:
        assert shown[name] == figures(written, name)


def pairs_agree(written: Written) -> None:
    """Assert the same of each player against each other one."""
    shown = {(line["Player"], line["Against"]): line for line in written.table("Pairs")}
    for name, who in written.players.items():
        these = parts(written.sessions, who)
        for other, theirs in written.players.items():
            if other == name:
                continue
            said, points, money = pair(these, theirs), 0, Counter[Any]()
            for session, mine, other_ in zip(written.sessions, who, theirs, strict=True):
                if mine and other_:
                    won = net(session, mine, other_)
                    points += won[0]
                    money[session["currency"], session["minor_digits"]] += won[1]
            line = shown.pop((name, other), None)
            if line is None:
                assert (points, any(money.values()), said["deals"]) == (0, False, 0)
                continue
            assert (line["Points"], line["Hands"], line["Rows compared"]) == (points, said["deals"], said["compared"])
            for code, digits in written.currencies:
                assert line[f"Money ({code})"] == in_units(money[code, digits], digits)
            for at, row in enumerate(ROWS):
                rows = line[f"{row.capitalize()} won"], line[f"{row.capitalize()} lost"]
                assert rows == (said["won"][at], said["lost"][at])
            scoops = [line[label] for label in ("With boards", "Scoops taken", "Scoops given")]
            assert scoops == [said[key_] for key_ in ("scored", "taken", "given")]
    assert shown == {}


def standings_agree(written: Written) -> None:
    """Assert that results are what the lines of each session make of each player, and standings their sums."""
    expected: dict[Any, Counter[str]] = {}
    lines: list[Any] = []
    for place, session in enumerate(written.sessions):
        for name, who in written.players.items():
            if not who[place]:
                continue
            points, money = net(session, who[place])
            seat = next(each["seat"] for each in session["seats"] if each["name"] == who[place])
            fees = sum(
                line["amount"] * ((line["payer"] == seat) - (line["payee"] == seat))
                for line in session["transfers"]
                if line["kind"] in kinds_of(Category.FEE)
            )
            hands = len([part for part in parts(written.sessions, who) if part.at[0] == place])
            lines.append((written.called[place], name, session["currency"], hands, points, money, fees))
            sums = expected.setdefault((name, session["currency"], session["minor_digits"]), Counter())
            sums.update(Sessions=int(hands > 0), Hands=hands, Points=points, Money=money, Fees=fees)
    digits = dict(written.currencies)
    shown = [
        (
            *(line[label] for label in ("Session", "Player", "Currency", "Hands", "Points")),
            *(line[label].scaleb(digits[line["Currency"]]) for label in ("Money", "Fees")),
        )
        for line in written.table("Results")
    ]
    # Who sat there for a moment and did nothing was not there.
    assert sorted(line for line in shown if any(line[3:])) == sorted(line for line in lines if any(line[3:]))
    for line in written.table("Standings"):
        sums = expected[line["Player"], line["Currency"], digits[line["Currency"]]]
        counted = ("Sessions", "Hands", "Points")
        assert [line[label] for label in counted] == [sums[label] for label in counted]
        for label in ("Money", "Fees"):
            assert line[label] == in_units(sums[label], digits[line["Currency"]])


def records_agree(written: Written) -> None:
    """Assert that the records are those of the second computation."""
    said = records(written.sessions, written.players)
    shown = {(line["Record"], line["Currency"]): line for line in written.table("Records")}

    def one(label: str, code: str | None = None) -> Any:
        line = shown.get((label, code))
        return line and (line["Figure"], line["Session"], line["First hand"], line["Player"])

    def placed(figure: Any, at: tuple[int, int], name: str) -> Any:
        return figure, written.called[at[0]], at[1], name

    royalties = said["royalties"]
    assert one("Highest royalties of one hand") == (royalties and placed(*royalties))
    for (code, digits), (figure, at, name) in said["pots"].items():
        label = "Biggest pot: the most that one player won in one hand"
        assert one(label, code) == placed(in_units(figure, digits), at, name)
    for label, figure in (
        ("Longest Fantasyland, in hands", said["fantasyland"]),
        ("Most fouls in a session", said["fouls"]),
        ("All hands", said["deals"]),
        ("All sessions with hands", said["sessions"]),
    ):
        assert (one(label) or (0,))[0] == figure
    if said["fantasyland"]:
        at = said["fantasyland_first"]
        assert one("Longest Fantasyland, in hands")[1:3] == (written.called[at[0]], at[1])


def heads_agree(written: Written) -> None:
    """Assert that each session has the head that the club's document has of it."""
    shown = [(line["Session"], line["Record"], line["Words"], line["Hash"]) for line in written.table("Sessions")]
    heads = [session["shown"] for session in written.sessions]
    assert shown == [
        (called, head["event"], head["words"], head["hash"]) for called, head in zip(written.called, heads, strict=True)
    ]


def calculated(written: Written) -> int:
    """Assert that every formula gives the figure that it carries, and return how many there are."""
    calculator, formulas = Calculator(written.book), 0
    for sheet in written.book:
        for cell in (cell for row in sheet.iter_rows(min_row=2) for cell in row if cell.data_type == "f"):
            carried = exact(written.shown[sheet.title][cell.coordinate].value)
            assert calculator.value(sheet.title, cell.column, cell.row) == carried, (sheet.title, cell.coordinate)
            formulas += 1
    return formulas


def confirmed(of: Club, folder: Path) -> Written:
    """A club's workbook, once every figure is confirmed."""
    written = Written(of, folder)
    assert written.book.sheetnames == SHEETS
    players_agree(written)
    pairs_agree(written)
    standings_agree(written)
    records_agree(written)
    heads_agree(written)
    assert calculated(written) > 20
    return written


@pytest.mark.parametrize("seed", range(3))
def test_every_figure_of_random_evenings_agrees_with_the_clubs_document(seed: int, tmp_path: Path) -> None:
    """In two currencies, with voids, corrections, limited chips, counts that differ, and an open session."""
    chance = random.Random(900 + seed)
    of: Club | None = None
    for number in range(3):
        evening = random_evening(seed + number, of, chance)
        of = evening.session.club
        for _ in range(20):
            something(evening, chance)
        if number != 1:
            counts = evening.model.close([-50, 0, 70])
            ledger.close_session(session=evening.session, key=key(), by="host", note="so they lay", counts=counts)
    assert of is not None
    confirmed(of, tmp_path)


def test_evenings_with_every_action_agree(tmp_path: Path) -> None:
    for session in (everything(), for_cash()):
        confirmed(session.club, tmp_path)


def test_players_who_were_put_together_and_names_that_begin_with_a_sign(tmp_path: Path) -> None:
    first = ledger.start_session(names=["=1+1", "Bob", "x" * 40], stake=100, currency="EUR", button=1, key="k", by="x")
    second = start("Ann Bob Dan", club=first.club, name="@Home")
    for session in (first, second):
        settle(session)
        act(ledger.close_session, session)
    people = {player.name: player for player in Player.objects.filter(club=first.club)}
    club.merge(people["Ann"], people["=1+1"])
    written = confirmed(first.club, tmp_path)
    cells = [cell for sheet in written.book for row in sheet.iter_rows() for cell in row]
    typed = [cell for cell in cells if cell.value in {"=1+1", "@Home"}]
    assert len(typed) > 5
    assert all(cell.data_type in {"s", "inlineStr"} and cell.quotePrefix for cell in typed)


def test_a_rate_over_few_hands_says_so(session: Session, tmp_path: Path) -> None:
    for _ in range(FEW - 1):
        settle(session, LEVEL)
    for format_ in ('0.0" (few)"', "0.0"):
        sheet = Written(session.club, tmp_path).shown["Players"]
        column = next(cell.column for cell in sheet[1] if cell.value == "Points per hand")
        assert sheet.cell(2, column).number_format == format_
        settle(session, LEVEL)


def test_a_club_without_a_hand_has_its_sheets_too(session: Session, tmp_path: Path) -> None:
    act(SideBet, session, payer=1, payee=2, amount=5, note="red")
    written = Written(session.club, tmp_path)
    assert written.book.sheetnames == SHEETS
    assert [line["Player"][:5] for line in written.table("Players")] == ["“(few"]
    assert [line["Record"] for line in written.table("Records")] == ["All hands", "All sessions with hands"]
    assert calculated(written) == 15  # five of each of three players' standings
    empty = Written(Club.objects.create(), tmp_path)
    assert empty.book.sheetnames == SHEETS
    assert empty.table("Standings") == empty.table("Sessions") == []


def test_the_words_of_each_session_are_those_that_people_were_shown(session: Session, tmp_path: Path) -> None:
    """Also after somebody agreed to them, which is an event itself, and they are others after a correction."""
    settle(session)
    act(ledger.close_session, session)
    closed = reads.head(session)
    act(ledger.agree, session, seat=1, head=closed.hash)
    (line,) = Written(session.club, tmp_path).table("Sessions")
    assert line["Session"] == f"{session.opened_at:%Y-%m-%d}" == f"{line['When']:%Y-%m-%d}"
    assert (line["Record"], line["Words"], line["Hash"]) == (closed.event, closed.words, closed.hash)
    act(ledger.reopen_session, session)
    (line,) = Written(session.club, tmp_path).table("Sessions")
    assert line["Words"] == reads.head(session).words != closed.words


def test_the_page_of_the_clubs_statistics_leads_to_it(session: Session) -> None:
    browser, at = host(session), f"/c/{session.club.public_id}/statistics"
    assert f"{at}.xlsx" not in browser.get(f"{at}/").content.decode()
    settle(session)
    assert f'href="{at}.xlsx" hx-boost="false"' in browser.get(f"{at}/").content.decode()
    response = browser.get(f"{at}.xlsx")
    assert response["Content-Disposition"].startswith('attachment; filename="ofc-statistics-20')
    assert response["Content-Type"].endswith("spreadsheetml.sheet")
    assert load_workbook(BytesIO(response.getvalue())).sheetnames == SHEETS
