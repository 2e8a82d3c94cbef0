"""Finds the texts to translate, in place of Django's command of this name, which needs GNU gettext."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.management import messages


class Command(BaseCommand):
    help = (
        "Finds every text of pages, refusals and scripts, and brings scoring/locale/ up to date: new texts wait there "
        "for their translation, old ones go. With --compile it also writes what pages and browsers read. With --check "
        "it changes nothing, and fails if anything is missing, unsure or out of date in a language that is offered."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Adds the languages, and what to do beside finding texts."""
        parser.add_argument("tags", nargs="*", metavar="tag", help="languages, such as fi; all if none is named")
        parser.add_argument("--compile", action="store_true", help="also write what pages and browsers read")
        parser.add_argument("--check", action="store_true", help="change nothing, and fail if something is wrong")

    def handle(self, *, tags: list[str], check: bool, **options: Any) -> None:
        """Writes or checks each language."""
        for tag in tags:
            if not messages.is_tag(tag):
                raise CommandError(f"There is no language {tag}. Name one by its tag, such as fi or zh-hans.")
        for tag in tags or messages.tags():
            if check:
                self._check(tag)
                continue
            for domain in messages.DOMAINS:
                file = messages.po_file(tag, domain)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(messages.written(messages.merged(tag, domain)))
            left = sum(1 for _ in messages.faults(tag))
            self.stdout.write(f"{tag}: {left} texts are left to do." if left else f"{tag}: whole.")
            if options["compile"]:
                for file, content in messages.compiled(tag).items():
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(content)

    def _check(self, tag: str) -> None:
        wrong = [f"{fault.file}: {fault.text!r} {fault.what}" for fault in messages.faults(tag)]
        wrong += [
            f"{file.name} of {tag} is not what its source says: run makemessages --compile"
            for file, content in messages.compiled(tag).items()
            if not file.exists() or file.read_bytes() != content
        ]
        if wrong:
            raise CommandError("\n".join(wrong[:40] + ([f"and {len(wrong) - 40} more"] if len(wrong) > 40 else [])))
