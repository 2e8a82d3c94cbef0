"""Backups: everything that is stored, in one file that no database engine has shaped, and the way back from it.

`docs/backups.md` says what such a file holds and opens.
"""

from scoring.backup.archive import Archive, BackupError, Manifest
from scoring.backup.notes import note
from scoring.backup.restoring import is_empty, restore
from scoring.backup.writing import pending, remove_given_up, write

__all__ = ["Archive", "BackupError", "Manifest", "is_empty", "note", "pending", "remove_given_up", "restore", "write"]
