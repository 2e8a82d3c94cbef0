import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

from scoring.ledger import append_only


class Migration(migrations.Migration):
    """The club's tab. Evenings of earlier releases were settled in people's heads, so they stay off it."""

    dependencies = [("scoring", "0022_cash")]

    operations = [
        migrations.AddField("session", "on_tab", models.BooleanField(default=False)),
        migrations.CreateModel(
            name="TabPayment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("n", models.PositiveIntegerField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("by", models.CharField(max_length=80)),
                ("payer", models.BigIntegerField()),
                ("payee", models.BigIntegerField()),
                ("currency", models.CharField(max_length=8)),
                ("minor_digits", models.PositiveSmallIntegerField()),
                ("amount", models.BigIntegerField()),
                ("plan", models.JSONField(default=list)),
                ("note", models.CharField(blank=True, max_length=300)),
                ("undoes", models.PositiveIntegerField(blank=True, null=True)),
                ("key", models.CharField(max_length=80)),
                ("fingerprint", models.CharField(max_length=64)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tab_payments", to="scoring.club"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("club", "n"), name="tab_payment_number_once"),
                    models.UniqueConstraint(fields=("club", "key"), name="tab_payment_key_once"),
                    models.UniqueConstraint(fields=("club", "undoes"), name="tab_payment_undone_once"),
                    models.CheckConstraint(condition=models.Q(("n__gte", 1)), name="tab_payment_number_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(("amount__gte", 1), ("amount__lte", 9999999999999999)),
                        name="tab_payment_pays_something",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("payer", models.F("payee")), _negated=True), name="tab_payment_between_two"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("currency", ""), _negated=True), name="tab_payment_has_a_currency"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("undoes__isnull", True), ("undoes__lt", models.F("n")), _connector="OR"),
                        name="tab_payment_undoes_the_past",
                    ),
                ],
            },
        ),
        migrations.RunPython(append_only.install, migrations.RunPython.noop),
    ]
