"""``POST /api/v1/score``: the score document over HTTP."""

import json

import pytest

from scoring.rules.document import MAX_BYTES, score_bytes

IVEY_HELLMUTH = {
    "rules": "regular",
    "players": [
        {"name": "Ivey", "front": "6h 6c 4d", "middle": "Ts Tc 9d Qh 8s", "back": "3h 3c 3s 2d 2c"},
        {"name": "Hellmuth", "front": "Ad Kd Qs", "middle": "9h 9s 5h 5c 4s", "back": "Kc Jc 9c 8c 7c"},
    ],
    "stake": 1000,
}


def post(client, body):
    return client.post("/api/v1/score", body, content_type="application/json")


def test_it_scores_as_the_engine_does(client):
    body = json.dumps(IVEY_HELLMUTH).encode()
    response = post(client, body)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert response.json() == score_bytes(body)[0]
    assert response.json()["pairs"][0]["paid"] == 4000


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"nonsense", 400, "not-json"),
        (b'{"a":"\xff"}', 400, "not-json"),
        (b"", 400, "not-json"),
        (b"{}", 422, "missing"),
        (b'{"rules": "texas", "players": [{"name": "A", "front": "QQ7"}]}', 422, "unknown-rule"),
        (b" " * MAX_BYTES + b"{}", 413, "too-large"),
    ],
)
def test_what_cannot_be_scored_is_refused_with_its_status(client, body, status, code):
    response = post(client, body)
    assert response.status_code == status
    assert response.json()["errors"][0]["code"] == code


def test_problems_are_said_in_english_whatever_the_language_of_a_result(client):
    body = json.dumps({**IVEY_HELLMUTH, "language": "fi", "rules": "texas"})
    said = json.dumps({**IVEY_HELLMUTH, "rules": "texas"})
    asked = client.post("/api/v1/score", body, content_type="application/json", headers={"Accept-Language": "fi"})
    assert asked.status_code == 422
    assert asked.json() == post(client, said).json()


def test_a_document_as_large_as_allowed_is_read(client):
    document = json.dumps(IVEY_HELLMUTH)
    assert post(client, document + " " * (MAX_BYTES - len(document))).status_code == 200


def test_it_rejects_get(client):
    assert client.get("/api/v1/score").status_code == 405


def test_it_needs_no_token_and_sets_no_cookie(client):
    client.handler.enforce_csrf_checks = True
    response = post(client, json.dumps(IVEY_HELLMUTH))
    assert response.status_code == 200
    assert not response.cookies


def test_its_description_names_every_answer(client):
    operation = client.get("/api/v1/openapi.json").json()["paths"]["/api/v1/score"]["post"]
    assert set(operation["responses"]) == {"200", "400", "413", "422", "429"}
    example = operation["requestBody"]["content"]["application/json"]["schema"]["example"]
    assert post(client, json.dumps(example)).status_code == 200
