"""Ninja's command of this name, which looks for the API at `/api/`, where ours does not stand."""

from django.core.management.base import CommandParser
from ninja.management.commands import export_openapi_schema


class Command(export_openapi_schema.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(api="scoring.api.api")
