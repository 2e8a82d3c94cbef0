"""Django's WSGI handler, which serves the pages."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ofcscore.settings")

application = get_wsgi_application()
