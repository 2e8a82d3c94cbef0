"""The app as it is served, and beside it, in the same server, what its figures are compared with: `bench.urls`."""

from ofcscore.settings import *  # noqa: F403 - every setting, by design

ROOT_URLCONF = "bench.urls"
