"""The ASGI application: pages through Django's WSGI handler on a few threads, and event streams on the event loop."""

from django.conf import settings

from ofcscore import figures
from ofcscore.pages import Pages
from ofcscore.prefix import below
from ofcscore.streams import Streams, room
from ofcscore.wsgi import application as handler
from scoring import access, live
from scoring.ledger.signals import session_moved

live.local_hub.most = room(live.MOST_STREAMS)
pages = Pages(
    handler,
    threads=settings.SERVE_THREADS,
    max_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    is_known=access.holds_links,
    full=figures.refused_busy,
)
figures.lanes.update(reading=pages.jobs["reading"], writing=pages.jobs["writing"])
session_moved.connect(figures.on_session_moved)
streams = Streams(pages, live.local_hub)
application = below(settings.URL_PREFIX, streams)
