"""The operator can look at everything in the admin but change nothing."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring import club, ledger
from scoring.actions.terms import ChangeTerms
from scoring.admin import SHOWN
from scoring.models import Player
from tests.ledger.conftest import act, settle, start
from tests.pages import post_nothing


@pytest.fixture
def operator(client, session):
    settle(session)
    act(ledger.dispute, session, number=1, note="Hm")
    act(ChangeTerms, session, pair_stakes=[(1, 2, 5)])
    act(ledger.close_session, session)
    start("Anna Eve", club=session.club)
    club.merge(Player.objects.get(name="Anna"), Player.objects.get(name="Ann"))
    client.force_login(User.objects.create_superuser("operator"))
    return client


@pytest.mark.parametrize("model", SHOWN)
def test_every_table_is_listed_and_shown_and_not_changed(operator, model):
    name = f"admin:scoring_{model._meta.model_name}"
    row = model._default_manager.order_by("pk")[0]
    assert operator.get(reverse(f"{name}_changelist")).status_code == 200
    page = reverse(f"{name}_change", args=[row.pk])
    assert operator.get(page).status_code == 200
    assert post_nothing(operator, page).status_code == 403
    assert post_nothing(operator, reverse(f"{name}_delete", args=[row.pk])).status_code == 403
    assert operator.get(reverse(f"{name}_add")).status_code == 403


def test_nothing_of_ours_is_changed_elsewhere_in_the_admin():
    ours = {model for model in admin.site._registry if model._meta.app_label == "scoring"}
    assert set(SHOWN) <= ours


def test_a_list_asks_no_more_for_more_rows(operator, session, django_assert_num_queries):
    lists = reverse("admin:scoring_transfer_changelist")
    with CaptureQueriesContext(connection) as few:
        operator.get(lists)
    act(ledger.reopen_session, session)
    for _ in range(5):
        settle(session)
    with django_assert_num_queries(len(few)):
        operator.get(lists)
