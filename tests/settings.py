"""The app's own settings, fit for tests: a key, a scratch database file, static files as they lie."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("SECRET_KEY", "for the tests and nothing else; it keeps no secret and guards no door")

from ofcscore.settings import *  # noqa: F403 - every setting, by design; after the key, which it asks for
from ofcscore.settings import DATABASES, ON_SQLITE, STORAGES

if ON_SQLITE:
    # A file, as in life: an in-memory database would lend one connection to all threads.
    # One for each process, so that runs side by side do not meet; Django removes it at the end.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"ofcscore-test-{os.getpid()}.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] += ";PRAGMA synchronous=OFF"  # no power cut to survive here

TIME_ZONE = "UTC"
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# What is asked often is asked by one client here; the tests of a limit set it.
NEW_CLUBS_PER_HOUR = WRONG_LINKS_PER_TEN_MINUTES = LOGINS_PER_TEN_MINUTES = FLAGS_PER_HOUR = API_PER_MINUTE = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
