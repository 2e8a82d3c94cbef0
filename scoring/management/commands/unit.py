"""`unit` prints what systemd needs to run the server, and to back it up every night."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

CLOSED: Final = """\
# A user that exists while this runs, and a directory that is its own: /var/lib/ofcscore.
DynamicUser=yes
User=ofcscore
StateDirectory=ofcscore
StateDirectoryMode=0700
Environment=DATA_DIR=%S/ofcscore
# What docs/configuration.md names, a line each, such as DATABASE_URL=postgres://...
EnvironmentFile=-/etc/ofcscore.env
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
"""
"""What the server and the backup may do: reach the network, and write into their own directory."""

UNITS: Final = {
    "service": f"""\
# {{ofcscore}} unit service > /etc/systemd/system/ofcscore.service
[Unit]
Description=Settles live Open Face Chinese poker
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
ExecStart={{started}} serve
Restart=on-failure
RestartSec=2
LimitNOFILE=65536
{CLOSED}
[Install]
WantedBy=multi-user.target
""",
    "backup": f"""\
# {{ofcscore}} unit backup > /etc/systemd/system/ofcscore-backup.service
[Unit]
Description=Backs up ofcscore, and shows that the backup can be restored
After=postgresql.service

[Service]
Type=oneshot
ExecStart={{started}} backup --keep 30 %S/ofcscore/nightly/
ExecStart={{started}} drill
Nice=10
{CLOSED}""",
    "timer": """\
# {ofcscore} unit timer > /etc/systemd/system/ofcscore-backup.timer
[Unit]
Description=Backs up ofcscore every morning, when most games are over

[Timer]
OnCalendar=*-*-* 06:30
RandomizedDelaySec=30min
Persistent=yes

[Install]
WantedBy=timers.target
""",
}


class Command(BaseCommand):
    help = "Print a unit for systemd: the service, the nightly backup, or the timer that starts the backup."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("which", nargs="?", choices=sorted(UNITS), default="service", help="default: service")

    def handle(self, *, which: str, **options: Any) -> None:
        installed = [str(Path(sys.executable).parent / "ofcscore")]
        checkout = [sys.executable, str(settings.BASE_DIR / "manage.py")]
        command = installed if settings.INSTALLED else checkout
        self.stdout.write(UNITS[which].format(ofcscore=shlex.join(command), started=_started(command)), ending="")


def _started(command: Sequence[str]) -> str:
    """This command as systemd reads it, unlike a shell. Raises `CommandError` if it would not start it."""
    for path in command:
        if re.search(r"[\"'\\\x00-\x1f\x7f]", path):
            raise CommandError(f"systemd starts nothing whose path has a quote, a backslash or a line break: {path!r}.")
    line = " ".join(path if shlex.quote(path) == path else f'"{path}"' for path in command).replace("%", "%%")
    return f":{line}" if "$" in line else line  # with the colon it looks for no variables
