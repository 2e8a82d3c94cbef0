"""The HTTP API: scores a document sent by POST, and describes itself at ``/api/v1/docs``."""

from __future__ import annotations

from typing import Any, Final, Literal

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI, Schema
from ninja.openapi.docs import Swagger
from pydantic import Field

from scoring.access import limits
from scoring.exports.json_text import dumps
from scoring.rules.document import MAX_BYTES, MAX_MONEY, MAX_NAME, MAX_PLAYERS, RULINGS, score_bytes
from scoring.rules.houserules import FANTASYLAND_CARDS, MOST_ENTERED_POINTS
from scoring.wording.languages import LANGUAGES


class _Docs(Swagger):
    """Swagger with the files that Ninja brings. Its own class takes them from elsewhere where Ninja is no app."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        settings = {**self.settings, "url": self.get_openapi_url(api, kwargs)}
        return render(request, self.template, {"api": api, "swagger_settings": dumps(settings).decode()})


api = NinjaAPI(
    title="ofcscore",
    version="1.0.0",
    description="Settles Open Face Chinese poker: boards, house rules and stakes in, points and payments out.",
    urls_namespace="api",
    docs=_Docs(),
)

_STATUS: Final = {"not-json": 400, "too-large": 413}

_TOO_MANY: Final = {
    "errors": [{"code": "too-many", "where": "", "message": "That is more than one client may ask. Wait a minute."}]
}


class ProblemOut(Schema):
    """One thing wrong with a document."""

    code: str
    where: str
    message: str


class ErrorsOut(Schema):
    """Nothing was scored; every reason at once."""

    errors: list[ProblemOut]


class HandOut(Schema):
    """A class of hands, and a hand of it as part of a sentence."""

    hand: str
    name: str


class NeedsOut(Schema):
    """The weakest and the strongest hand that the other rows allow, null where they set no bound."""

    at_least: HandOut | None
    at_most: HandOut | None


class PlayerOut(Schema):
    """One player's result; the boards' keys are absent where the table scored the deal itself."""

    name: str
    foul: bool | None = Field(default=None, description="null for a board of a partial document that is still open.")
    foul_reason: str | None = None
    rows: dict[str, Any] | None = None
    royalties: int | None = None
    fantasyland_next: int | None = None
    needs: dict[str, NeedsOut] | None = Field(
        default=None, description="Of a partial document: what each row of an open board needs."
    )
    points: int
    money: int
    stack: int | None
    busted: bool


class PairOut(Schema):
    """One settled pair, signed from the first-named player."""

    order: int
    players: list[str]
    rows: dict[str, int] | None
    row_points: int
    bonus: int
    royalties: int
    points: int
    stake: int
    owed: int
    paid: int
    payer: str | None
    payee: str | None
    why: str


class ScoreOut(Schema):
    """A scored deal."""

    version: Literal[1]
    rules: dict[str, Any]
    players: list[PlayerOut]
    pairs: list[PairOut] = Field(description="In the order in which they are paid.")


_MONEY: Final = {"type": "integer", "minimum": 0, "maximum": MAX_MONEY}
_NAME: Final = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
_ROW: Final = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}


def _pair(key: str, value: dict[str, Any]) -> dict[str, Any]:
    pair = {"type": "array", "items": _NAME, "minItems": 2, "maxItems": 2}
    return {
        "type": "array",
        "items": {"type": "object", "required": ["players", key], "properties": {"players": pair, key: value}},
    }


# Only documentation: scoring.rules.document alone validates, so that every refusal has its own code and place.
_DOCUMENT: Final = {
    "type": "object",
    "required": ["players"],
    "properties": {
        "rules": {"oneOf": [{"type": "string"}, {"type": "object"}]},
        "players": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_PLAYERS,
            "items": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": _NAME,
                    "front": _ROW,
                    "middle": _ROW,
                    "back": _ROW,
                    "fantasyland": {"type": "boolean"},
                    "fantasyland_cards": {
                        "type": "integer",
                        "minimum": FANTASYLAND_CARDS[0],
                        "maximum": FANTASYLAND_CARDS[-1],
                    },
                    "ruling": {"enum": list(RULINGS)},
                    "stack": {"type": "integer", "maximum": MAX_MONEY},  # negative only where nobody can go bust
                },
            },
        },
        "stake": _MONEY,
        "pair_stakes": _pair("stake", _MONEY),
        "language": {
            "type": "string",
            "enum": list(LANGUAGES),
            "default": "en",
            "description": "The language of the sentences and names in a result. Problems are said in English.",
        },
        "partial": {
            "type": "boolean",
            "default": False,
            "description": "Rows may lack cards: nothing is scored, and each board is judged as far as it goes.",
        },
        "points": _pair("points", {"type": "integer", "minimum": -MOST_ENTERED_POINTS, "maximum": MOST_ENTERED_POINTS}),
    },
    "example": {
        "rules": "regular",
        "players": [
            {"name": "Ivey", "front": "6h 6c 4d", "middle": "Ts Tc 9d Qh 8s", "back": "3h 3c 3s 2d 2c"},
            {"name": "Hellmuth", "front": "Ad Kd Qs", "middle": "9h 9s 5h 5c 4s", "back": "Kc Jc 9c 8c 7c"},
        ],
        "stake": 1000,
    },
}


@api.post(
    "/score",
    summary="Score one deal",
    tags=["score"],
    response={200: ScoreOut, 400: ErrorsOut, 413: ErrorsOut, 422: ErrorsOut, 429: ErrorsOut},
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _DOCUMENT}}}},
)
def score(request: HttpRequest) -> HttpResponse:
    """Score the document in the body, of at most 64 KiB; nothing is stored.

    Status 422 with every problem at once if it cannot be scored, 400 if it is not JSON, 413 if it is too large, 429 if
    one client asks too often.
    """
    if not limits.api.allows(limits.client(request)):
        return _answer(_TOO_MANY, status=429, headers={"Retry-After": str(limits.api.seconds)})
    try:
        body = request.body
    except RequestDataTooBig:
        body = bytes(MAX_BYTES + 1)  # Django did not read it; this stands in, to be refused in the usual words
    document, ok = score_bytes(body, LANGUAGES)
    status = 200 if ok else _STATUS.get(document["errors"][0]["code"], 422)
    return _answer(document, status=status)


def _answer(document: dict[str, Any], *, status: int, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(dumps(document), status=status, content_type="application/json", headers=headers)
