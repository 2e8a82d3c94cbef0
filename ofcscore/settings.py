"""Reads the settings from the environment, and refuses to start with unsafe ones.

Every setting has a default that suits one machine on a home network. Each setting that an operator may change is read
from `env` here.
"""

import os
import re
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject
from environs import Env, validate
from platformdirs import user_state_path
from tzlocal import get_localzone_name

from ofcscore import data, database, network, prefix, security, valkey
from ofcscore.repeats import Repeats

env = Env()

# A checkout has templates, static files and documents beside the packages; a wheel has them in a folder of its own.
_CHECKOUT = Path(__file__).resolve().parent.parent
INSTALLED = not (_CHECKOUT / "manage.py").exists()
BASE_DIR = Path(__file__).resolve().parent / "beside" if INSTALLED else _CHECKOUT
DATA_DIR = env.path("DATA_DIR", user_state_path("ofcscore") if INSTALLED else BASE_DIR / "data")
if not env.str("DATA_DIR", "unset") or (DATA_DIR / "static").resolve() == (BASE_DIR / "static").resolve():
    # It would be the directory of the app or any in which the command happens to run, whose static files are cleared.
    raise ImproperlyConfigured("DATA_DIR has to name a directory that is for the data alone.")

# What the server and the commands write is for its owner alone: the data directory has the key and the database.
os.umask(0o077)
security.keep_to_owner(DATA_DIR)

# --- Access and security ----------------------------------------------------------------------

DEBUG = env.bool("DEBUG", False)
HTTPS = env.bool("HTTPS", False)  # a proxy in front of this server terminates TLS
TRUSTED_PROXIES = network.checked_proxies(env.list("TRUSTED_PROXIES", ["127.0.0.1"] if HTTPS else []))


_KEPT_KEY = DATA_DIR / "secret-key"


def _kept_key() -> str:
    """Returns the key that the first start generates and stores in the data directory."""
    try:
        return _long_enough(
            security.kept_secret(_KEPT_KEY),
            f"The secret key in {_KEPT_KEY} is too short. Put it back from a copy, or set SECRET_KEY.",
        )
    except UnicodeDecodeError as error:
        raise ImproperlyConfigured(f"{_KEPT_KEY} holds no text. Put it back from a copy, or set SECRET_KEY.") from error
    except OSError as error:
        raise ImproperlyConfigured(
            f"There is no secret key, and {_KEPT_KEY} can be neither read nor made. Set SECRET_KEY."
        ) from error


def _long_enough(key: str, refusal: str) -> str:
    if len(key) < 50:
        raise ImproperlyConfigured(refusal)
    return key


def _allowed_hosts() -> list[str]:
    """Lists the names that DNS rebinding cannot abuse, and the operator's.

    A hostile page can point a name of its own at a private address, but it can control neither an address itself nor
    this machine's own names. So those need no configuration.
    """
    given = network.checked_hosts(env.list("ALLOWED_HOSTS", []))
    if DEBUG and not all(network.is_local(host) for host in given):
        raise ImproperlyConfigured("DEBUG exposes the app's internals, so it is refused with public ALLOWED_HOSTS.")
    if HTTPS and not given:
        raise ImproperlyConfigured("HTTPS=1 needs ALLOWED_HOSTS: list the public names of this server.")
    return ["localhost", "127.0.0.1", "[::1]", *network.names(), *network.addresses(), *given]


# One that is not given is made when somebody first asks for it: a command that is refused leaves no directory behind.
SECRET_KEY = cast("str", SimpleLazyObject(_kept_key))
if env.str("SECRET_KEY", ""):
    SECRET_KEY = _long_enough(env.str("SECRET_KEY"), "SECRET_KEY is too short: it needs at least 50 random characters.")
ALLOWED_HOSTS = _allowed_hosts()

# The path below which the app stands on its host, as `/ofc`. All of its addresses begin so, and its cookies are sent
# there alone. Such cookies of Django's have names of their own, because an app at the host's root may have the same.
URL_PREFIX = prefix.checked(env.str("URL_PREFIX", ""))
FORCE_SCRIPT_NAME = URL_PREFIX or None
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = f"{URL_PREFIX}/"
SESSION_COOKIE_NAME = "sessionid" + URL_PREFIX.replace("/", "-")
CSRF_COOKIE_NAME = "csrftoken" + URL_PREFIX.replace("/", "-")
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # a cookie of theirs would be for all paths

# Over plain HTTP, the usual setup at home, browsers would not send a Secure cookie back.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# Only the operator has a session. It is in their cookie, so that nobody who reads the database finds one to use.
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
SESSION_COOKIE_AGE = 12 * 60 * 60  # counted from the last change, also against a cookie that was copied
# Monitors ask without TLS. Django looks at the path with the prefix, whether the request had it or not.
SECURE_REDIRECT_EXEMPT = [f"^{re.escape(f'{URL_PREFIX}/{name}'[1:])}$" for name in ("healthz", "readyz", "metrics")]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
CSRF_FAILURE_VIEW = "ofcscore.errors.csrf_failure"
CSRF_COOKIE_HTTPONLY = True  # scripts need not read it: htmx sends the token in the form

# Phones keep what they need without a connection, by a service worker. The setting ends that on every phone.
SERVICE_WORKER = env.bool("SERVICE_WORKER", not DEBUG)  # it would show a developer the files of yesterday

# Who may start a club: anyone, nobody, or anyone who has the code. A club's host starts its sessions in any case.
ALLOW_NEW_CLUBS = env.str("ALLOW_NEW_CLUBS", "anyone", validate=validate.OneOf(["anyone", "code", "nobody"]))
NEW_CLUB_CODE = env.str("NEW_CLUB_CODE", "")
if (NEW_CLUB_CODE or ALLOW_NEW_CLUBS == "code") and len(NEW_CLUB_CODE) < 8:
    raise ImproperlyConfigured("NEW_CLUB_CODE needs at least 8 characters, and ALLOW_NEW_CLUBS=code needs one.")

# The days after which `manage.py drop_idle` deletes an idle session; 0 keeps sessions for ever.
KEEP_IDLE_DAYS = env.int("KEEP_IDLE_DAYS", 0, validate=validate.Range(min=0, max=36_500))

# A club of invented people that everybody may look at, if `manage.py demo` has made it; 0 hides it.
DEMO = env.bool("DEMO", True)

# Figures for Prometheus at /metrics: for whoever has the token, or without one for programs of this machine.
METRICS = env.bool("METRICS", False)
METRICS_TOKEN = env.str("METRICS_TOKEN", "")
if METRICS_TOKEN and len(METRICS_TOKEN) < 16:
    raise ImproperlyConfigured("METRICS_TOKEN is too short: it needs at least 16 random characters.")

_LIMIT = validate.Range(min=0, max=1_000_000)

# Rate limits for each client; 0 means no limit. Everyone in one home shares one address.
NEW_CLUBS_PER_HOUR = env.int("NEW_CLUBS_PER_HOUR", 30, validate=_LIMIT)
WRONG_LINKS_PER_TEN_MINUTES = env.int("WRONG_LINKS_PER_TEN_MINUTES", 30, validate=_LIMIT)
LOGINS_PER_TEN_MINUTES = env.int("LOGINS_PER_TEN_MINUTES", 10, validate=_LIMIT)
FLAGS_PER_HOUR = env.int("FLAGS_PER_HOUR", 30, validate=_LIMIT)
API_PER_MINUTE = env.int("API_PER_MINUTE", 600, validate=_LIMIT)
PICTURES_PER_MINUTE = env.int("PICTURES_PER_MINUTE", 20, validate=_LIMIT)
WHAT_IFS_PER_TEN_MINUTES = env.int("WHAT_IFS_PER_TEN_MINUTES", 60, validate=_LIMIT)

# The open connections of one client, who may be a household or several tables behind one address. When there are more,
# those close that wait for the client; 0 means no limit.
CONNECTIONS_PER_CLIENT = env.int("CONNECTIONS_PER_CLIENT", 1_000, validate=_LIMIT)

# What one club may hold; 0 means no limit. A club that plays five tables every night for ten years has 18,000 sessions.
SESSIONS_PER_HOUR = env.int("SESSIONS_PER_HOUR", 60, validate=_LIMIT)
SESSIONS_PER_CLUB = env.int("SESSIONS_PER_CLUB", 50_000, validate=_LIMIT)
PLAYERS_PER_CLUB = env.int("PLAYERS_PER_CLUB", 5_000, validate=_LIMIT)
PEOPLE_PER_SESSION = env.int("PEOPLE_PER_SESSION", 60, validate=_LIMIT)
HANDS_PER_SESSION = env.int("HANDS_PER_SESSION", 2_000, validate=_LIMIT)
EVENTS_PER_SESSION = env.int("EVENTS_PER_SESSION", 50_000, validate=_LIMIT)
LINKS_PER_SESSION = env.int("LINKS_PER_SESSION", 1_000, validate=_LIMIT)  # as many host's links to the club

# The most open pages of one club, or from one address, that a process keeps up to date by a stream; 0 means no limit.
# Further pages poll. A club with five tables of eight phones, a screen each and as many pages left open has about 100.
STREAMS_PER_CLUB = env.int("STREAMS_PER_CLUB", 300, validate=_LIMIT)
STREAMS_PER_ADDRESS = env.int("STREAMS_PER_ADDRESS", 600, validate=_LIMIT)

# The longest body that any request needs is a score document of 64 KiB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
FILE_UPLOAD_HANDLERS: list[str] = []  # no form asks for a file, so none is accepted

CONTENT_SECURITY_POLICY = {"DIRECTIVES": security.CONTENT_POLICY}

SILENCED_SYSTEM_CHECKS = [
    "security.W021",  # joining the HSTS preload list is the domain owner's choice, not this app's
]

# --- Components -------------------------------------------------------------------------------

INSTALLED_APPS = [
    "scoring",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials",
]

MIDDLEWARE = [
    "scoring.middleware.own_answer_middleware",  # above all others, so that no answer goes without its mark
    "ofcscore.figures.middleware",
    "django.middleware.security.SecurityMiddleware",
    "ofcscore.security.no_referrer_middleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Policies are below WhiteNoise: they are for pages, and a phone that comes for the first time loads several files.
    "csp.middleware.CSPMiddleware",
    "ofcscore.security.permissions_policy_middleware",
    # Pages shrink to a quarter. Random padding keeps their compressed length from revealing their secrets.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "scoring.middleware.language_middleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scoring.middleware.vary_middleware",
    "scoring.middleware.long_body_middleware",
    "scoring.middleware.held_links_middleware",
    "scoring.middleware.SnapshotMiddleware",
    "scoring.middleware.OperatorMiddleware",
    "scoring.middleware.not_allowed_middleware",
]

ROOT_URLCONF = "ofcscore.urls"
WSGI_APPLICATION = "ofcscore.wsgi.application"

# Django Ninja is no app here, because Django would import it, with Pydantic, at the start of every command, which would
# take half as long again. Its page of the API needs these two folders alone.
NINJA = Path(cast("ModuleSpec", find_spec("ninja")).origin or "").parent

_LOADERS = ["django.template.loaders.filesystem.Loader", "django.template.loaders.app_directories.Loader"]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", NINJA / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [("scoring.loader.Loader", _LOADERS)])],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scoring.context_processors.given",
                "scoring.context_processors.own_seat",
                "scoring.context_processors.worker",
            ],
        },
    },
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Storage ----------------------------------------------------------------------------------

if "DATABASE_URL" in os.environ:
    DATABASES = {"default": env.dj_db_url("DATABASE_URL")}
else:
    _file = DATA_DIR / "ofcscore.sqlite3"
    data.refuse_elsewhere(_file)
    DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(_file)}}
ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if not ON_SQLITE and DATABASES["default"]["ENGINE"] != "django.db.backends.postgresql":
    raise ImproperlyConfigured("DATABASE_URL names another database than SQLite and PostgreSQL, which this app needs.")
if ON_SQLITE and str(DATABASES["default"]["NAME"]) in {"", ":memory:"}:
    raise ImproperlyConfigured("DATABASE_URL names no file, so nothing would be kept: write sqlite:////path/to/file.")

if ON_SQLITE:
    if "OPTIONS" in DATABASES["default"]:
        raise ImproperlyConfigured(
            f"DATABASE_URL asks for {next(iter(DATABASES['default']['OPTIONS']))}, but a file of SQLite has no options."
        )
    _database = str(DATABASES["default"]["NAME"])
    security.keep_to_owner(*(Path(_database + ending) for ending in ("", "-wal", "-shm")))
    # IMMEDIATE makes a transaction wait for the write lock when it begins, not when it first writes.
    # WAL with full sync, SQLite's default, lets everything that was acknowledged survive a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": "PRAGMA journal_mode=WAL",
    }
    # Each thread keeps its connection. Opening one reads the whole schema, and closing the last one checkpoints and
    # removes the log, which costs the very waits for the disk that the log saves.
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    DATABASES["default"]["OPTIONS"] = {
        **database.options("DATABASE_URL", DATABASES["default"]),
        "pool": {"min_size": 1, "max_size": 8, "timeout": 10},
    }
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # a restarted PostgreSQL leaves dead connections in the pool

# The address of PostgreSQL itself, for LISTEN, where DATABASE_URL leads to a pooler that gives each transaction another
# connection, as PgBouncer does in transaction mode.
DIRECT_DATABASE = env.dj_db_url("DIRECT_DATABASE_URL", "") if env.str("DIRECT_DATABASE_URL", "") else {}
if DIRECT_DATABASE:
    if ON_SQLITE or DIRECT_DATABASE["ENGINE"] != DATABASES["default"]["ENGINE"]:
        raise ImproperlyConfigured("DIRECT_DATABASE_URL names PostgreSQL behind the pooler that DATABASE_URL names.")
    DIRECT_DATABASE["OPTIONS"] = database.options("DIRECT_DATABASE_URL", DIRECT_DATABASE)
    # A cursor that outlives its transaction would look for its rows on another connection.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = True

# A server of Redis or Valkey that tells processes of changes, and counts for limits, instead of PostgreSQL.
NOTICES_URL = env.str("NOTICES_URL", "")
if NOTICES_URL:
    if ON_SQLITE:
        raise ImproperlyConfigured("NOTICES_URL is for several processes, which need PostgreSQL: set DATABASE_URL.")
    if not valkey.is_address(NOTICES_URL):
        raise ImproperlyConfigured("NOTICES_URL names no server of Redis or Valkey: redis://host:6379/0.")

EXPORT_DIR = DATA_DIR / "exports"  # files are in it for an hour

# So many answer requests that read, and as many those that write. On SQLite, more CPU-bound threads slow pages down and
# starve writers. PostgreSQL gains from them.
SERVE_THREADS = env.int("THREADS", 1 if ON_SQLITE else 4, validate=validate.Range(min=1, max=64))
PORT = env.int("PORT", 8000, validate=validate.Range(min=1, max=65_535))

STATIC_URL = f"{URL_PREFIX}/static/"
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", NINJA / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "ofcscore.static_files.ServedFiles"
    },
}

# --- Language, time and logs ------------------------------------------------------------------

# Every language that pages offer, each in its own name. One whose texts are not all translated is not offered.
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fi", "Suomi"),
    ("ja", "日本語"),
    ("ru", "Русский"),
    ("zh-hans", "简体中文"),
    ("zh-hant", "繁體中文"),
]
LANGUAGE_CODE = "en"
LANGUAGE_COOKIE_NAME = "language" + URL_PREFIX.replace("/", "-")
LANGUAGE_COOKIE_PATH = f"{URL_PREFIX}/"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_HTTPONLY = True
USE_I18N = True
USE_TZ = True
try:
    TIME_ZONE = env.str("TIME_ZONE", "") or get_localzone_name()
except ZoneInfoNotFoundError:  # the machine's configuration contradicts itself or names no zone
    TIME_ZONE = "UTC"
try:
    ZoneInfo(TIME_ZONE)
except (ZoneInfoNotFoundError, ValueError, OSError) as error:
    raise ImproperlyConfigured(f"TIME_ZONE={TIME_ZONE} is no time zone. Name one such as Europe/Helsinki.") from error

LOG_FORMAT = env.str("LOG_FORMAT", "text", validate=validate.OneOf(["text", "json"]))
if LOG_FORMAT == "json":  # only there the lines of a request have its id
    MIDDLEWARE.insert(1, "ofcscore.logs.request_id_middleware")

# A refused request is logged in one line, and only a server error with a traceback. A 404 is not
# logged: it is no problem of the server, and its path may be a mistyped secret.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "class": "ofcscore.security.WithoutSecrets",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "ofcscore.logs.Json"},
    },
    "filters": {
        "without_traceback": {"()": "django.utils.log.CallbackFilter", "callback": security.without_traceback},
        "repeats": {"()": Repeats},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["repeats"]},
        "refusals": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["repeats", "without_traceback"],
        },
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},
        "django.server": {
            "handlers": [],
            "propagate": True,
        },  # the development server
        "django.security": {"handlers": ["refusals"], "propagate": False},
        "uvicorn": {"level": "WARNING"},
    },
}
