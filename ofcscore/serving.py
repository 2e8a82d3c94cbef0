"""The server: uvicorn, with our bounds on connections and on the way that it stops."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import socket
import sys
from importlib import import_module
from typing import Any, Final

import uvicorn
from django.conf import settings

from ofcscore.connections import Places, protocol
from scoring import live

BACKLOG: Final = 128
"""How many clients the kernel lets wait for their connection to be accepted."""

FOR_PAGES: Final = 500
"""The connections that may be open beside event streams."""

FIXED: Final = {(3, 11): 10, (3, 12): 6, (3, 13): 0}
"""The first micro release of each Python in which reading cookies and headers takes linear time (CVE-2024-7592)."""


def config(host: str = "127.0.0.1", port: int = 0) -> uvicorn.Config:
    """The configuration of the server, which is the same for `manage.py serve` and for tests."""
    from ofcscore.asgi import application  # finds out how many streams there is room for

    most = live.local_hub.most + FOR_PAGES
    places = Places(
        most=most,
        each=settings.CONNECTIONS_PER_CLIENT or most,
        proxies=[ipaddress.ip_network(each, strict=False) for each in settings.TRUSTED_PROXIES if each != "*"],
    )
    options: dict[str, Any] = {}
    if settings.TRUSTED_PROXIES:
        options["forwarded_allow_ips"] = settings.TRUSTED_PROXIES
    return uvicorn.Config(
        application,
        http=protocol(places),
        host=host,
        port=port,
        backlog=BACKLOG,
        lifespan="off",
        ws="none",
        log_config=None,  # settings.LOGGING applies
        access_log=False,  # paths may contain the secrets of links
        server_header=False,
        proxy_headers=bool(settings.TRUSTED_PROXIES),
        timeout_graceful_shutdown=2,  # only for a page that hangs: streams end by themselves
        **options,
    )


class Server(uvicorn.Server):
    """A server that ends all streams when it shuts down, since uvicorn would wait for them until its timeout."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # This runs after uvicorn has stopped accepting connections, so that no stream can follow.
        asyncio.get_running_loop().call_soon(live.local_hub.close)
        await super().shutdown(sockets)


def spare_what_is_loaded() -> None:
    """Take the app out of Python's garbage collections, which would look at all of it during long pages.

    What is loaded by now stays in memory as long as the process.
    """
    import_module(settings.ROOT_URLCONF)  # the pages, which Django loads for the first request
    gc.collect()
    gc.freeze()


def warning() -> str:
    """What to tell the operator of this Python; empty if it has no hole that we know of."""
    fixed = FIXED.get(sys.version_info[:2], 0)
    if sys.version_info[2] >= fixed:
        return ""
    here = ".".join(map(str, sys.version_info[:3]))
    return f"Warning: Python {here} has known holes. Update it to {here.rpartition('.')[0]}.{fixed} or later."
