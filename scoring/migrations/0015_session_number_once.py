from django.db import migrations, models


class Migration(migrations.Migration):
    """No two sessions of a club have one number."""

    dependencies = [("scoring", "0014_chain_of_stored_sessions")]

    operations = [
        migrations.AddConstraint(
            "session", models.UniqueConstraint(fields=("club", "number"), name="session_number_once")
        ),
    ]
