"""The pages of links: made, replaced and revoked."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import unquote

import pytest

from scoring.access import links
from scoring.access.links import Role
from scoring.actions.people import Leave
from scoring.models import Link
from tests.access.conftest import Cast, issue
from tests.ledger.conftest import act
from tests.pages import Value, form, labels, post_nothing

pytestmark = pytest.mark.django_db


def test_no_single_tap_locks_hosts_out_of_their_own_club(cast: Cast) -> None:
    client, own = cast.browsers["host"], cast.links["host"].public_id
    spare = issue(cast.session, Role.HOST, name="Spare")[0].public_id
    at = f"/c/{cast.session.club.public_id}/links/"
    page = client.get(at)
    offered = labels(page)
    assert {"Replace Host", "Replace Spare", "Revoke Spare"} <= set(offered)
    assert "Revoke Host" not in offered
    assert form(page, "Revoke Spare").press()["Location"] == at
    assert post_nothing(client, f"{at}{own}/revoke/")["Location"] == at
    assert client.get(at).status_code == 200
    assert Link.objects.get(public_id=spare).revoked_at
    # A lost link can be replaced: the old one stops working, and this browser goes on with the new one.
    assert form(client.get(at), "Replace Host").press().status_code == 200
    assert Link.objects.get(public_id=own).revoked_at
    assert client.get(at).status_code == 200


def test_a_link_that_another_host_has_revoked_is_not_replaced(cast: Cast) -> None:
    client = cast.browsers["host"]
    spare, _secret = issue(cast.session, Role.HOST, name="Spare")
    at = f"/c/{cast.session.club.public_id}/links/"
    stale = form(client.get(at), "Replace Spare")
    links.revoke(spare)
    count = Link.objects.count()
    late = stale.press()
    assert late.status_code == 409
    shown = late.content.decode()
    assert "This link was revoked since this page was opened." in shown
    assert f'href="{at}">Back</a>' in shown
    assert Link.objects.count() == count


def test_a_link_that_another_host_has_replaced_is_neither_revoked_nor_replaced_in_silence(cast: Cast) -> None:
    client = cast.browsers["host"]
    spare, _secret = issue(cast.session, Role.HOST, name="Spare")
    at = f"/c/{cast.session.club.public_id}/links/"
    revoked, replaced = (form(client.get(at), f"{verb} Spare") for verb in ("Revoke", "Replace"))
    links.replace(spare, key="elsewhere")
    for stale, title in ((revoked, "No link was revoked"), (replaced, "No link was made")):
        late = stale.press()
        assert late.status_code == 409
        shown = late.content.decode()
        assert title in shown
        assert "This link was replaced since this page was opened. The new one is in the list." in shown
    assert Link.objects.get(replaces=spare).revoked_at is None


def test_a_link_for_a_player_who_has_left_becomes_none_for_everybody(cast: Cast) -> None:
    client, at = cast.browsers["host"], f"/s/{cast.session.public_id}/links/"
    opened = form(client.get(at), "Create link").fill({"role": "scorer", "seat": "3", "name": "Phone 3"})
    act(Leave, cast.session, seat=3)
    count = Link.objects.count()
    late = opened.press()
    assert late.status_code == 409
    assert "Cat is not at the table any more." in late.content.decode()
    again = form(late, "Create link")
    assert (again.fields()["role"], again.fields()["name"]) == (["scorer"], ["Phone 3"])
    assert again.press().status_code == 409
    assert Link.objects.count() == count
    assert again.fill({"seat": ""}).press().status_code == 200


@pytest.mark.parametrize("of", ["club", "session"])
def test_a_link_too_many_keeps_what_it_was_to_be(cast: Cast, settings: Any, of: str) -> None:
    settings.LINKS_PER_SESSION = 1
    session = cast.session
    at = f"/c/{session.club.public_id}/links/" if of == "club" else f"/s/{session.public_id}/links/"
    typed = {"name": "Phone 3"} if of == "club" else {"name": "Phone 3", "role": "scorer", "seat": "2"}
    button = "Create host link" if of == "club" else "Create link"
    refused = form(cast.browsers["host"].get(at), button).fill(dict(typed)).press()
    assert refused.status_code == 422
    again = form(refused, button).fields()
    assert {name: again[name] for name in typed} == {name: [text] for name, text in typed.items()}


@pytest.mark.parametrize(
    ("page", "button", "role", "kind"),
    [
        ("/c/{club}/links/", "Create host link", {}, "Host link"),
        ("/s/{session}/links/", "Create link", {"role": "scorer"}, "Scorer link"),
        ("/s/{session}/links/", "Create link", {"role": "viewer"}, "Viewer link"),
    ],
)
def test_a_new_link_says_of_what_kind_it_is(
    cast: Cast, page: str, button: str, role: dict[str, Value], kind: str
) -> None:
    at = page.format(club=cast.session.club.public_id, session=cast.session.public_id)
    made = form(cast.browsers["host"].get(at), button).fill({**role, "name": "Anns phone"}).press().content.decode()
    heading = re.search(r"<h1>(.*?)</h1>", made, re.DOTALL)
    assert heading
    assert " ".join(re.sub(r"<[^>]+>", " ", heading[1]).split()) == f"{kind} Anns phone"


def test_a_forms_key_is_one_of_ours(cast: Cast) -> None:
    client, page = cast.browsers["host"], f"/s/{cast.session.public_id}/links/"
    for bad in ("", "x" * 81, "a\x00b", "ü"):
        assert form(client.get(page), "Create link").forge({"key": bad}).status_code == 400
    made = [form(client.get(page), "Create link").press().context["address"] for _ in range(2)]
    assert made[0] != made[1]


def test_a_link_for_a_scorer_of_one_seat_is_asked_for_on_one_page(cast: Cast) -> None:
    opened = form(cast.browsers["host"].get(f"/s/{cast.session.public_id}/links/"), "Create link")
    refused = opened.fill({"seat": "2", "name": "Bob’s phone"}).press()  # but it is still a link to read along
    assert refused.status_code == 422
    again = form(refused, "Create link")
    assert (again.fields()["seat"], again.fields()["name"]) == (["2"], ["Bob’s phone"])
    assert again.fields()["key"] == opened.fields()["key"]
    made = again.fill({"role": "scorer"}).press()
    assert "can enter Bob’s cards" in made.content.decode()
    assert Link.objects.get(name="Bob’s phone").seat == cast.session.seats.get(number=2)


def test_a_link_to_watch_goes_out_together_with_who_pays_whom(cast: Cast) -> None:
    host, at = cast.browsers["host"], f"/s/{cast.session.public_id}"
    ledger = host.get(f"{at}/ledger/").content.decode()
    (message,) = re.findall(r"<textarea[^>]*>(.*?)</textarea>", ledger, re.DOTALL)
    assert "who pays whom:\n" in message
    (address,) = re.findall(rf'href="({at}/links/.*?)">Send it with a link to watch<', ledger)
    made = form(host.get(unescape(address)), "Create link").press()
    link = Link.objects.get(public_id=made.context["link"].public_id)
    assert (link.role, link.session) == (Role.VIEWER, cast.session)
    assert message.replace("\n", "<br>") in made.content.decode()
    assert message in unquote(made.content.decode())
    # Nobody else may make links, and no link is sent with anything unless the host asked for it.
    for who in ("viewer", "scorer"):
        assert "Send it with a link to watch" not in cast.browsers[who].get(f"{at}/ledger/").content.decode()
    assert form(host.get(f"{at}/links/"), "Create link").press().context["said"] == ""


def test_one_form_sent_for_two_seats_makes_a_link_for_each(cast: Cast) -> None:
    """After Back the form has its key still. Sent as it was, it makes no other link."""
    client, at = cast.browsers["host"], f"/s/{cast.session.public_id}/links/"
    opened = form(client.get(at), "Create link").fill({"role": "scorer"})
    count = Link.objects.count()
    for seat, name in (("1", "For Ann"), ("1", "For Ann"), ("2", "For Bob"), ("", "For all")):
        assert name in opened.fill({"seat": seat, "name": name}).press("Create link").content.decode()
    made = Link.objects.order_by("pk")[count:]
    assert [(link.name, link.seat and link.seat.number) for link in made] == [
        ("For Ann", 1),
        ("For Bob", 2),
        ("For all", None),
    ]
