"""Names and addresses: finds those of this machine on the local network, and checks those that an operator gives."""

import ipaddress
import re
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ImproperlyConfigured

_HOST: Final = re.compile(r"\.?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\]")


def checked_hosts(given: Sequence[str]) -> list[str]:
    """The operator's names of this server. Raises `ImproperlyConfigured` for a name that no Host header can have."""
    hosts = [host.strip() for host in given]
    if "*" in hosts:
        raise ImproperlyConfigured("ALLOWED_HOSTS=* would let any site pose as this server: list the names.")
    if not all(_HOST.fullmatch(host) for host in hosts):
        raise ImproperlyConfigured(
            f"ALLOWED_HOSTS={','.join(given)[:200]} has to be names such as ofc.example.org, with commas between them,"
            " and without https://, port or path."
        )
    return hosts


def checked_proxies(given: Sequence[str]) -> list[str]:
    """The addresses and networks of the proxies to believe; ``*`` is all. Raises `ImproperlyConfigured`."""
    proxies = [proxy.strip() for proxy in given]
    try:
        for proxy in proxies:
            if proxy != "*":
                ipaddress.ip_network(proxy, strict=False)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXIES={','.join(given)[:200]} has to be addresses or networks such as 127.0.0.1,10.0.0.0/8."
        ) from error
    return proxies


def names() -> list[str]:
    """This machine's name, bare and with the suffixes that exist only in local networks."""
    name = socket.gethostname().lower()
    return [name, *(f"{name}{suffix}" for suffix in (".local", ".lan", ".home.arpa"))]


def addresses() -> list[str]:
    """The private IPv4 addresses of this machine's interfaces, without loopback."""
    found = _by_interface() if sys.platform == "linux" else _by_name()
    return [text for text in found if _reachable_locally(text)]


def answering(port: int) -> list[str]:
    """The addresses at which a server on this port of this machine answers the local network, the likeliest first.

    A server may listen to this machine alone, so each address is tried. Where a machine has several, that of a virtual
    machine or a container leads phones nowhere; the one by which this machine itself goes out is the most likely.
    """
    found = [address for address in addresses() if _answers(address, port)]
    return sorted(found, key=lambda address: address != _way_out())


def is_loopback(host: str) -> bool:
    """Whether this host means the machine on which it is said, whichever that is."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_local(host: str) -> bool:
    """Whether a Host header's value can only mean this machine or its private network."""
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_global
    except ValueError:
        return host == "localhost" or host.endswith(".localhost") or host in names()


def household(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one household shares.

    Empty for anything else, such as the path of a socket.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


def _reachable_locally(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_global or address.is_loopback)


def _answers(address: str, port: int) -> bool:
    try:
        socket.create_connection((address, port), timeout=1).close()
    except OSError:
        return False
    return True


def _way_out() -> str:
    """The address from which this machine would reach others elsewhere; empty if it has no way there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has; nothing is sent
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _by_interface() -> list[str]:
    import fcntl  # exists on Unix only

    siocgifaddr = 0x8915  # Linux: fills a struct ifreq with the IPv4 address in bytes 20 to 23
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, interface in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(probe, siocgifaddr, struct.pack("256s", interface.encode()))
            except OSError:  # an interface without an IPv4 address
                continue
            found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _by_name() -> list[str]:
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []
