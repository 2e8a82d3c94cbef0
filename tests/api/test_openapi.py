"""Whatever is sent that fits the API's description, or nearly, the answers are those that it describes."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from ofcscore.wsgi import application

api = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)


@pytest.mark.django_db  # a request looks after the connections that the process has
@api.parametrize()
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_described(case):
    case.call_and_validate(
        headers={"Accept-Encoding": "identity"},  # this client does not unpack what it asks for
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )
