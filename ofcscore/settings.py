"""Reads the environment, and refuses to start unsafe.

Everything has a default that is right for one machine on a home network. What an operator
may set stands here as one `env` line each; the rest is ours.
"""

from pathlib import Path
from zoneinfo import ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured
from environs import Env, validate
from tzlocal import get_localzone_name

from ofcscore import network, security

env = Env()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.path("DATA_DIR", BASE_DIR / "data")

# --- Who may talk to it, and how --------------------------------------------------------------

DEBUG = env.bool("DEBUG", False)
HTTPS = env.bool("HTTPS", False)  # a proxy in front of us speaks TLS to the world
TRUSTED_PROXIES: list[str] = env.list("TRUSTED_PROXIES", ["127.0.0.1"] if HTTPS else [])


def _secret_key() -> str:
    """The key that was given, or the one that this app makes at its first start and keeps in the data directory."""
    made = DATA_DIR / "secret-key"
    key = env.str("SECRET_KEY", "")
    if not key:
        try:
            key = security.kept_secret(made)
        except OSError as error:
            raise ImproperlyConfigured(
                f"No secret key: {made} can be neither read nor made. Set SECRET_KEY."
            ) from error
    if len(key) < 50:
        raise ImproperlyConfigured(
            f"A secret key has at least 50 random characters; the one given, or in {made}, has not."
        )
    return key


def _allowed_hosts() -> list[str]:
    """Names that cannot mislead a browser on this network, and those that the operator gave.

    A foreign page can point a name of its own at a private address, but it can take neither
    an address itself nor this machine's own names; so those need no configuration.
    """
    given: list[str] = env.list("ALLOWED_HOSTS", [])
    if DEBUG and not all(network.is_local(host) for host in given):
        raise ImproperlyConfigured("DEBUG shows the insides of the app: it is refused with public ALLOWED_HOSTS.")
    if HTTPS and not given:
        raise ImproperlyConfigured("HTTPS=1 needs ALLOWED_HOSTS, the names under which the world reaches this server.")
    if "*" in given:
        raise ImproperlyConfigured("ALLOWED_HOSTS=* would let any site speak in this server's name: list the names.")
    return ["localhost", "127.0.0.1", "[::1]", *network.names(), *network.addresses(), *given]


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = _allowed_hosts()

# On plain HTTP, the usual home setup, a Secure cookie would never come back.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = ["^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
CSRF_COOKIE_HTTPONLY = True  # htmx sends the token that is in the form

# Who may start a club: anyone, nobody, or whoever has the code. Sessions of a club that exists are its host's affair.
ALLOW_NEW_CLUBS = env.str("ALLOW_NEW_CLUBS", "anyone", validate=validate.OneOf(["anyone", "code", "nobody"]))
NEW_CLUB_CODE = env.str("NEW_CLUB_CODE", "")
if ALLOW_NEW_CLUBS == "code" and len(NEW_CLUB_CODE) < 8:
    raise ImproperlyConfigured("ALLOW_NEW_CLUBS=code needs a NEW_CLUB_CODE of at least 8 characters.")

# How many days a session in which nothing happens is kept by `manage.py drop_idle`; 0 stands for ever.
KEEP_IDLE_DAYS = env.int("KEEP_IDLE_DAYS", 0)

# How often one client may do what could be abused; 0 stands for no limit. Whoever sits at home shares one address.
NEW_CLUBS_PER_HOUR = env.int("NEW_CLUBS_PER_HOUR", 30)
WRONG_LINKS_PER_TEN_MINUTES = env.int("WRONG_LINKS_PER_TEN_MINUTES", 30)
LOGINS_PER_TEN_MINUTES = env.int("LOGINS_PER_TEN_MINUTES", 10)
FLAGS_PER_HOUR = env.int("FLAGS_PER_HOUR", 30)
API_PER_MINUTE = env.int("API_PER_MINUTE", 600)

# The longest body anything here needs: a score document (CONTRACT: 64 KiB).
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
FILE_UPLOAD_HANDLERS: list[str] = []  # nobody is asked for a file, so none is taken

CONTENT_SECURITY_POLICY = {"DIRECTIVES": security.CONTENT_POLICY}

SILENCED_SYSTEM_CHECKS = [
    "security.W021",  # a browser's preload list is the domain owner's choice, not this app's
]

# --- What it is made of -----------------------------------------------------------------------

INSTALLED_APPS = [
    "scoring",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "ninja",
    "template_partials",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "ofcscore.security.unreferred",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "ofcscore.security.permissions_policy",  # of documents; a file has no use for it
    # A page a quarter as long, with random padding, so that its length tells hardly anything of what is in it.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scoring.http.varies",
    "scoring.access.carried",
    "scoring.access.operator_only",
    "scoring.http.explained",
]

ROOT_URLCONF = "ofcscore.urls"
WSGI_APPLICATION = "ofcscore.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scoring.access.given",
                "scoring.http.own_seat",
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

# --- Where it keeps things --------------------------------------------------------------------

DATABASES = {
    "default": env.dj_db_url("DATABASE_URL", f"sqlite:///{DATA_DIR / 'ofcscore.sqlite3'}"),
}
ON_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"

if ON_SQLITE:
    # IMMEDIATE: a writer takes its place in the queue when it begins, not when it first writes.
    # WAL with SQLite's full sync (its default): what was answered survives a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": "PRAGMA journal_mode=WAL",
    }
    # A thread keeps its connection. Opening one reads the whole schema, and closing the last one writes the log back
    # into the database and removes it, with all the waiting for the disk that the log is there to save.
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 1, "max_size": 8, "timeout": 10}}

# Several CPU-bound threads make SQLite pages slower and starve its writers; PostgreSQL gains.
SERVE_THREADS = env.int("THREADS", 1 if ON_SQLITE else 4)

STATIC_URL = "static/"
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "ofcscore.static_files.ServedFiles"
    },
}

# --- How it speaks ----------------------------------------------------------------------------

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
try:
    TIME_ZONE = env.str("TIME_ZONE", "") or get_localzone_name()
except ZoneInfoNotFoundError:  # this machine says two things at once, or nothing
    TIME_ZONE = "UTC"

# One line for a refused request; a traceback only for a fault of ours. A plain 404 is no
# problem of the server, and its path may be somebody's mistyped secret.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "without_traceback": {"()": "django.utils.log.CallbackFilter", "callback": security.without_traceback},
        "without_secrets": {"()": "django.utils.log.CallbackFilter", "callback": security.without_secrets},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["without_secrets"]},
        "refusals": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without_traceback", "without_secrets"],
        },
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR"},
        "django.security": {"handlers": ["refusals"], "propagate": False},
        "uvicorn": {"level": "WARNING"},
    },
}
