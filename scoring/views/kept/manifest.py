"""What a phone is told of the app when somebody puts it on the home screen."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring.texts import gettext as _
from scoring.texts import spoken

ICONS = (
    ("icon.svg", "any", "image/svg+xml"),
    ("icon-192.png", "192x192", "image/png"),
    ("icon-512.png", "512x512", "image/png"),
)


@require_safe
def manifest(request: HttpRequest, tag: str) -> JsonResponse:
    """The app's manifest in one language.

    Each language has an address of its own, because a browser that asks for a manifest sends no cookies.
    """
    if tag not in dict(settings.LANGUAGES):
        raise Http404
    with spoken(tag):
        said = _said()
    return JsonResponse({"lang": tag, **said}, content_type="application/manifest+json")


def _said() -> dict[str, Any]:
    home = reverse("home")
    shortcuts = ((_("Start a session"), "new"), (_("Check a hand"), "check"), (_("The rules"), "rules"))
    pictures = (
        ("shown/pad.jpg", "360x640", "narrow", _("Enter hand %(number)s") % {"number": 3}),
        ("shown/settled.jpg", "360x640", "narrow", _("Who pays whom")),
        ("shown/ledger.jpg", "1280x800", "wide", _("Ledger")),
    )
    small = _image(*ICONS[1])
    return {
        "name": "OFC Score",
        "short_name": "OFC Score",
        "description": _(
            "Settles live Open Face Chinese poker: who fouled and why, who pays whom, and what everyone is up or down "
            "tonight."
        ),
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": "#f6f4ee",
        "theme_color": "#1c4c39",
        "icons": [
            *(_image(*icon) for icon in ICONS),
            {**_image("icon-maskable.png", "512x512", "image/png"), "purpose": "maskable"},
        ],
        "shortcuts": [{"name": name, "url": reverse(page), "icons": [small]} for name, page in shortcuts],
        "screenshots": [
            {**_image(name, sizes, "image/jpeg"), "form_factor": form, "label": label}
            for name, sizes, form, label in pictures
        ],
    }


def _image(name: str, sizes: str, kind: str) -> dict[str, str]:
    return {"src": static(name), "sizes": sizes, "type": kind}
