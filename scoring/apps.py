from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"
    verbose_name = "Open Face Chinese scoring"

    def ready(self) -> None:
        """Connects the live streams of this process to the ledger's commits."""
        from scoring import live
        from scoring.ledger.signals import session_moved

        session_moved.connect(live.on_session_moved)
