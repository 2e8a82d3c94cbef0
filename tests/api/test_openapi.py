"""Every answer of the API matches its description, for requests that fit the description or almost do."""

import re

import pytest
import schemathesis
from django.contrib.staticfiles import finders
from django.test import Client
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ofcscore.wsgi import application

api = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)


@pytest.mark.django_db  # a request opens and closes the process's database connections
@api.parametrize()
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_described(case):
    case.call_and_validate(
        headers={"Accept-Encoding": "identity"},  # this client does not decompress answers
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )


def test_the_page_of_the_api_needs_this_server_alone(client: Client) -> None:
    page = client.get("/api/v1/docs").content.decode()
    assert '"url":"/api/v1/openapi.json"' in page
    asked = re.findall(r'<(?:script src|link [^>]*href)="([^"]*)"', page)
    assert len(asked) >= 3
    assert all(finders.find(each.removeprefix("/static/")) for each in asked)
