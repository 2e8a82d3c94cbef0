from django.db import migrations, models


class Migration(migrations.Migration):
    """The coin to which payments are rounded, only where the club's tab has what that leaves."""

    dependencies = [("scoring", "0024_pay_addresses")]

    operations = [
        migrations.AddField("session", "coin", models.BigIntegerField(default=0)),
        migrations.AddConstraint(
            "session",
            models.CheckConstraint(
                condition=models.Q(coin=0)
                | models.Q(models.Q(coin__gte=1, coin__lte=9_999_999_999_999_999), on_tab=True),
                name="session_rounds_on_the_tab",
            ),
        ),
    ]
