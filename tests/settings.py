"""The app's settings, changed for tests: a key, a temporary database file, static files without collecting them."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("SECRET_KEY", "for the tests and nothing else; it keeps no secret and guards no door")

from ofcscore.settings import *  # noqa: F403 - every setting, by design; after the key, which it asks for
from ofcscore.settings import DATA_DIR, DATABASES, ON_SQLITE, STORAGES

DATA_DIR.mkdir(parents=True, exist_ok=True)  # as whatever serves pages does before it starts

if ON_SQLITE:
    # A file, as in production, because an in-memory database would share one connection among all threads. Each process
    # has its own, so that parallel runs do not collide; Django deletes it at the end.
    DATABASES["default"]["TEST"] = {"NAME": str(Path(tempfile.gettempdir()) / f"ofcscore-test-{os.getpid()}.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] += ";PRAGMA synchronous=OFF"  # tests survive no power cut

TIME_ZONE = "UTC"
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
SERVICE_WORKER = False  # its tests turn it on; in the others it would answer for the server that they test
# In tests a single client makes all requests, so there are no limits; the tests of a limit set it.
NEW_CLUBS_PER_HOUR = WRONG_LINKS_PER_TEN_MINUTES = LOGINS_PER_TEN_MINUTES = FLAGS_PER_HOUR = API_PER_MINUTE = 0
PICTURES_PER_MINUTE = 0
WHAT_IFS_PER_TEN_MINUTES = 0
SESSIONS_PER_HOUR = SESSIONS_PER_CLUB = PLAYERS_PER_CLUB = PEOPLE_PER_SESSION = HANDS_PER_SESSION = (
    EVENTS_PER_SESSION
) = LINKS_PER_SESSION = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
