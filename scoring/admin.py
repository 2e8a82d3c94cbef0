"""The operator's read-only view of the stored data. Every change goes through the ledger's functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import django.contrib.auth.admin  # noqa: F401 - it registers the pages that are taken away below
from django.contrib import admin, messages
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from scoring.access import links
from scoring.models import (
    BoardResult,
    Club,
    Deal,
    Dispute,
    Event,
    LineSum,
    Link,
    Merged,
    PairResult,
    PairStake,
    Player,
    Revision,
    Seat,
    Session,
    Total,
    Transfer,
)

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Model]
else:  # Django's class takes no parameter at run time
    _ModelAdmin = admin.ModelAdmin


class ReadOnly(_ModelAdmin):
    """An admin that lists and shows rows, and changes none."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


# Django's own pages for these could make and change operators, who are made by `manage.py createsuperuser`.
admin.site.unregister([Group, User])

SHOWN: dict[type[Model], tuple[str, ...]] = {
    Club: ("__str__", "public_id", "created_at"),
    Player: ("name", "club"),
    Merged: ("club", "gone", "player"),
    Session: ("__str__", "club", "public_id", "deals", "version", "head", "opened_at", "closed_at"),
    Seat: ("session", "number", "name", "kind", "position", "sitting_out", "fantasyland_cards"),
    PairStake: ("session", "low", "high", "stake"),
    Event: ("session", "n", "at", "by", "verb", "deal", "note", "hash"),
    Deal: ("session", "number", "revision"),
    Revision: ("deal", "n", "kind", "event", "button", "next_button", "note"),
    BoardResult: ("revision", "order", "seat", "front", "middle", "back", "ruling", "foul", "points", "money"),
    PairResult: ("revision", "order", "first", "second", "points", "stake", "owed", "paid"),
    Transfer: ("session", "deal_number", "payer", "payee", "points", "amount", "kind", "reverses"),
    LineSum: ("session", "payer", "payee", "kind", "in_play", "points", "amount"),
    Dispute: ("deal", "raised", "resolved"),
    Total: ("session", "player", "deals", "points", "money", "fees", "currency"),
}

for model, shown in SHOWN.items():
    relations = tuple(name for name in shown if name != "__str__" and model._meta.get_field(name).is_relation)
    admin.site.register(
        model, type(f"{model.__name__}Admin", (ReadOnly,), {"list_display": shown, "list_select_related": relations})
    )


@admin.register(Link)
class LinkAdmin(ReadOnly):
    """Shows links. The operator can revoke one but not open it, since only the digest of its secret is stored."""

    list_display = ("name", "role", "club", "session", "seat", "made_at", "used_at", "revoked_at", "replaced_by")
    list_select_related = ("club", "session", "seat", "replaced_by")
    list_filter = ("role", ("revoked_at", admin.EmptyFieldListFilter))
    actions = ("revoke",)

    @admin.action(description="Revoke the selected links", permissions=["view"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Link]) -> None:
        """Revokes the chosen links, and ends the streams of the pages they opened."""
        unrevoked = [link for link in chosen if link.revoked_at is None]
        for link in unrevoked:
            links.revoke(link)
        self.message_user(request, f"Revoked: {len(unrevoked)}.", messages.SUCCESS)
