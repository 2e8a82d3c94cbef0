from django.db import migrations, models
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

KINDS = [
    ("iban", "IBAN"),
    ("paypal", "PayPal.me"),
    ("venmo", "Venmo"),
    ("revolut", "Revolut"),
    ("swish", "Swish"),
    ("upi", "UPI"),
    ("pix", "PIX"),
    ("lightning", "Lightning address"),
    ("text", "Another way"),
]


class Migration(migrations.Migration):
    """How players like to be paid."""

    dependencies = [("scoring", "0023_tab")]

    operations = [
        migrations.CreateModel(
            name="PayAddress",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=9)),
                ("value", models.CharField(max_length=200)),
                (
                    "player",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="pay_addresses", to="scoring.player"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind"), name="pay_address_once_per_kind"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", [word for word, _ in KINDS])),
                        name="pay_address_of_a_known_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("value", ""), _negated=True), LessThanOrEqual(Length("value"), 200)
                        ),
                        name="pay_address_is_short",
                    ),
                ],
            },
        ),
    ]
