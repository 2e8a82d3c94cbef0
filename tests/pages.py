"""Forms as a browser sends them: read from the page, changed as a person would change them, and sent by a button.

Tests of forms make up no fields. They open the page, fill in what a person would change, press a button of the page,
and look at the answer:

    form(client.get(address), "Record side bet").fill({"amount": "5", "note": "pizza"}).press()

A `Form` keeps the state in which its page was served. Pressing it later is like using a page that was left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from django.test import Client
from lxml import html

Value = str | bool | list[str]
"""The new value of a field: a text that is typed or chosen, whether a box is ticked, or the boxes that are ticked."""


class Form:
    """A form of a page that was served to a client; see `form` for how to get one."""

    def __init__(self, client: Client, url: str, element: html.FormElement) -> None:
        self._client = client
        self._element = element
        self.method = (element.get("method") or "get").lower()
        self.action = urljoin(url, element.get("action") or url)

    @property
    def labels(self) -> list[str]:
        """The labels of its buttons."""
        return [label_of(button) for button in self._buttons()]

    def fields(self) -> dict[str, list[str]]:
        """What a browser would send now, without a button: the values of each field, in the order of the page."""
        found: dict[str, list[str]] = {}
        for each in self._element.inputs:
            if each.get("name") and "disabled" not in each.attrib:
                for value in _values(each):
                    found.setdefault(each.get("name"), []).append(value)
        return found

    def fill(self, changes: Mapping[str, Value]) -> Form:
        """Changes fields, by name. Fails if a person could not make these changes on this page."""
        for name, value in changes.items():
            self._change(name, value)
        return self

    def press(self, label: str = "", **headers: str) -> Any:
        """Presses the button with this label, or the first button, as the Enter key does. Returns the answer.

        Fails if a browser would not send the form, because a required field is empty or the button is disabled.
        """
        buttons = [button for button in self._buttons() if label_of(button) == label or not label]
        assert buttons, f"no button {label!r}; there are {self.labels}"
        button = buttons[0]
        assert "disabled" not in button.attrib, f"{label_of(button)} is disabled"
        if "novalidate" not in self._element.attrib and "formnovalidate" not in button.attrib:
            fields = self.fields()
            for field in self._element.xpath(".//*[@required][@name][not(@disabled)]"):
                name = field.get("name")
                assert any(fields.get(name, [])), f"{name} is required, so a browser does not send the form"
        name, fields = button.get("name"), self.fields()
        pressed = {name: [*fields.get(name, []), button.get("value", "")]} if name else {}
        return self._send(urljoin(self.action, button.get("formaction", self.action)), pressed, headers)

    def forge(self, changes: Mapping[str, str | list[str] | None], **headers: str) -> Any:
        """Sends the form with any changes, also impossible ones; None removes a field. Returns the answer.

        It presses no button. To send a button that has a name, put it among the changes.
        """
        return self._send(self.action, changes, headers)

    def by(self, client: Client) -> Form:
        """The same form, copied into the browser of another client."""
        return Form(client, self.action, self._element)

    def _send(self, action: str, changes: Mapping[str, str | list[str] | None], headers: dict[str, str]) -> Any:
        sent = {**self.fields(), **changes}
        data = {name: value for name, value in sent.items() if value is not None}
        ask = self._client.post if self.method == "post" else self._client.get
        return ask(action, data, headers=headers)

    def _buttons(self) -> list[Any]:
        """Those in the form that belong to no other, and those elsewhere that name it."""
        page = self._element.getroottree()
        return [
            each
            for each in page.xpath("//button[not(@type) or @type='submit'] | //input[@type='submit']")
            if (
                each.get("form") == self._element.get("id")
                if "form" in each.attrib
                else self._element in each.iterancestors()
            )
        ]

    def _change(self, name: str, value: Value) -> None:
        inputs = [each for each in self._element.xpath(".//*[@name]") if each.get("name") == name]
        assert inputs, f"there is no field {name}; there are {sorted(self.fields())}"
        assert not any("disabled" in each.attrib or "readonly" in each.attrib for each in inputs), f"{name} is disabled"
        first = inputs[0]
        kind = "select" if first.tag == "select" else first.get("type", "text")
        assert kind != "hidden", f"{name} is hidden: nobody can change it"
        if kind in {"checkbox", "radio"}:
            ticked = [first.get("value", "on")] if value is True else [value] if isinstance(value, str) else value or []
            offered = [each.get("value", "on") for each in inputs]
            assert set(ticked) <= set(offered), f"{name} offers {offered}, not {ticked}"
            assert kind == "checkbox" or len(ticked) == 1, f"one of {name} is always chosen"
            for each in inputs:
                each.checked = each.get("value", "on") in ticked
            return
        assert isinstance(value, str), f"{name} takes a text"
        if kind == "select":
            offered = [each.get("value", each.text) for each in first.iter("option") if "disabled" not in each.attrib]
            assert value in offered, f"{name} offers {offered}, not {value!r}"
        elif most := first.get("maxlength"):
            assert len(value) <= int(most), f"{name} takes at most {most} characters"
        first.value = value


def forms(response: Any) -> list[Form]:
    """Every form on the page that a test client received."""
    return [Form(response.client, _address(response), each) for each in read(response).forms]


def form(response: Any, label: str = "", *, action: str = "", **hidden: str) -> Form:
    """The form on this page that has a button with this label, or that is sent to ``action``.

    Without either, it is the only form that sends a POST, or the only form of the page. If each line of a list has its
    own form, ``hidden`` selects the line by the values of its fields: ``form(page, "Sit out", seat="2")``.
    """
    found = forms(response)
    if label:
        found = [each for each in found if label in each.labels]
    if action:
        found = [each for each in found if each.action.partition("?")[0] == action]
    if hidden:
        found = [each for each in found if all(each.fields().get(name) == [text] for name, text in hidden.items())]
    if len(found) > 1 and not label and not action and not hidden:
        found = [each for each in found if each.method == "post"]
    assert len(found) == 1, f"{len(found)} forms on {_address(response)} have {label or action or hidden!r}"
    return found[0]


def labels(response: Any) -> list[str]:
    """The labels of the buttons of all forms on this page, in the order of the page."""
    return [label for each in forms(response) for label in each.labels]


def follow(response: Any, label: str) -> Any:
    """Follows the link with this label, and returns the answer."""
    found = {
        urljoin(_address(response), each.get("href")) for each in read(response).xpath("//a") if label_of(each) == label
    }
    assert len(found) == 1, f"{len(found)} links on {_address(response)} are called {label!r}"
    return response.client.get(found.pop())


def post_nothing(client: Client, url: str) -> Any:
    """Sends a POST without fields to an address that has no form, and returns the answer."""
    return client.post(url)


def read(response: Any) -> Any:
    """The page that a test client received, as a document."""
    return html.document_fromstring(response.content.decode())


def _address(response: Any) -> str:
    url: str = response.request["PATH_INFO"]
    query = response.request.get("QUERY_STRING")
    return f"{url}?{query}" if query else url


def _values(field: Any) -> list[str]:
    """The values that a browser sends for one field. It sends an empty text, but not an unticked box."""
    kind = "select" if field.tag == "select" else field.get("type", "text")
    if kind in {"submit", "image", "reset", "file"}:
        return []
    if kind in {"checkbox", "radio"}:
        return [field.get("value", "on")] if field.checked else []
    if kind == "select":
        return [] if field.value is None else [field.value]
    return [field.value or ""]


def label_of(element: Any) -> str:
    """The label of a button or a link, as a screen reader reads it."""
    if spoken := element.get("aria-label"):
        return str(spoken)
    if element.tag == "input":
        return str(element.get("value", ""))
    return " ".join("".join(element.xpath(".//text()[not(ancestor::*[@aria-hidden='true'])]")).split())


def text(response: Any) -> str:
    """The middle of a page as people read it, with single spaces."""
    return " ".join(html.fromstring(response.content).find(".//main").text_content().split())
