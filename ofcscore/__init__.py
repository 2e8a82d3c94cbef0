"""The server, its settings, and the command."""

__version__ = "0.2.0.dev0"
