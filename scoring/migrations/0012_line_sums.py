from django.db import migrations, models
from django.db.models import CASCADE, Q

from scoring.ledger import line_sums


class Migration(migrations.Migration):
    """What the lines of a session add up to is kept beside them, by a trigger, and filled in for the lines so far."""

    dependencies = [("scoring", "0011_points_of_any_kind")]

    operations = [
        migrations.CreateModel(
            "LineSum",
            fields=[
                ("id", models.BigAutoField(primary_key=True, auto_created=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=8)),
                ("in_play", models.BooleanField()),
                ("points", models.BigIntegerField()),
                ("amount", models.BigIntegerField()),
                ("payer", models.ForeignKey("scoring.seat", CASCADE, related_name="+")),
                ("payee", models.ForeignKey("scoring.seat", CASCADE, related_name="+")),
                ("session", models.ForeignKey("scoring.session", CASCADE, related_name="line_sums")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "payer", "payee", "kind", "in_play"), name="line_sum_once"
                    ),
                    models.CheckConstraint(
                        condition=Q(points__gte=0, points__lte=2**62), name="line_sum_points_within"
                    ),
                    models.CheckConstraint(condition=Q(amount__gte=0, amount__lte=2**62), name="line_sum_within"),
                ],
            },
        ),
        migrations.RunPython(line_sums.install, line_sums.remove),
    ]
