"""What a phone is told of the app when somebody puts it on the home screen."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db


def words(said: dict[str, Any]) -> list[str]:
    """What people read of it."""
    return [
        said["description"],
        *(each["name"] for each in said["shortcuts"]),
        *(each["label"] for each in said["screenshots"]),
    ]


@pytest.mark.parametrize("tag", [tag for tag, _ in settings.LANGUAGES])
def test_each_language_has_a_manifest_of_its_own(client: Client, tag: str) -> None:
    client.cookies["language"] = "fi"
    said, english = (client.get(f"/language/{each}/manifest.webmanifest").json() for each in (tag, "en"))
    assert said["lang"] == tag
    assert len(set(words(said))) == 7
    assert bool(set(words(said)) & set(words(english))) is (tag == "en")
    assert said["start_url"] == english["start_url"] == "/"  # so it is one app, whatever language it was installed in


def test_pages_name_the_manifest_of_their_language(client: Client) -> None:
    client.cookies["language"] = "ja"
    assert 'rel="manifest" href="/language/ja/manifest.webmanifest"' in client.get("/").text


@pytest.mark.parametrize("tag", ["xx", "zh", "EN"])
def test_a_language_that_is_not_offered_has_none(client: Client, tag: str) -> None:
    assert client.get(f"/language/{tag}/manifest.webmanifest").status_code == 404
