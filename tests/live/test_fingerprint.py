"""Processes know by a fingerprint whether they share a server of Redis, however each spells its address."""

import pytest
from django.test import override_settings

from ofcscore import valkey


def fingerprint(url: str) -> str:
    with override_settings(NOTICES_URL=url):
        return valkey.fingerprint()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("redis://h", "redis://h:6379/0"),
        ("redis://h", "redis://H/"),
        ("redis://", "redis://localhost"),
        ("redis://h?db=3", "redis://h/3"),
        ("redis://ann:secret@h", "redis://:other@h"),
        ("unix:///run/redis.sock", "unix:///run/redis.sock?db=0"),
    ],
)
def test_one_server_has_one_fingerprint(one: str, other: str) -> None:
    assert fingerprint(one) == fingerprint(other)


def test_other_servers_and_other_numbers_have_other_ones() -> None:
    urls = [
        "redis://h",
        "redis://i",
        "redis://h:6380",
        "redis://h/1",
        "unix:///run/redis.sock",
        "unix:///run/other.sock",
    ]
    assert len({fingerprint(url) for url in urls}) == len(urls)


def test_nobody_reads_an_address_from_it() -> None:
    found = fingerprint("redis://ann:secret@cache.example.org/0")
    assert int(found, 16)
    assert len(found) == 32
