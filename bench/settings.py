"""The app's settings, with `bench.urls` to serve the views that its figures are compared with."""

from ofcscore.settings import *  # noqa: F403 - every setting, by design

ROOT_URLCONF = "bench.urls"
