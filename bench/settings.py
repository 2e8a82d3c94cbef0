"""The app's settings, with `bench.urls` to serve the views that its figures are compared with."""

from ofcscore.settings import *  # noqa: F403 - every setting, by design

ROOT_URLCONF = "bench.urls"
# A benchmark settles more hands at a table than anybody plays in an evening.
HANDS_PER_SESSION = EVENTS_PER_SESSION = 0
