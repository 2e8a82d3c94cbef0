"""`manage.py score`, run as a shell runs it."""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scoring.rules.document import MAX_BYTES, score

from .documents import random_document
from .test_document import ivey_hellmuth

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "manage.py", "score"]


class Finished(NamedTuple):
    status: int
    lines: list[Any]
    complaints: str


def run(body: bytes, *options: str, **environment: str) -> Finished:
    done = subprocess.run(
        [*COMMAND, *options],
        input=body,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.stdout.endswith(b"\n")
    return Finished(done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode())


def line(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def codes(answer: Any) -> list[str]:
    return [error["code"] for error in answer["errors"]]


def test_one_document() -> None:
    assert run(line(ivey_hellmuth())) == Finished(0, [score(ivey_hellmuth())], "")


def test_one_document_over_many_lines() -> None:
    assert run(json.dumps(ivey_hellmuth(), indent=2).encode()) == Finished(0, [score(ivey_hellmuth())], "")


def test_a_bad_document_is_answered_on_standard_output_with_status_2() -> None:
    document = ivey_hellmuth()
    document["players"][1]["back"] = "Kc Jc 9c Qh 7c"
    status, (answer,), complaints = run(line(document))
    assert status == 2
    assert complaints == ""
    message = "The queen of hearts is also in Ivey's middle."
    assert answer == {"errors": [{"code": "duplicate-card", "where": "players[1].back", "message": message}]}


def test_empty_input_is_not_a_document() -> None:
    status, (answer,), _ = run(b"")
    assert (status, codes(answer)) == (2, ["not-json"])


def test_input_beyond_the_limit_is_refused() -> None:
    status, (answer,), _ = run(line(ivey_hellmuth()).ljust(MAX_BYTES + 1))
    assert (status, codes(answer)) == (2, ["too-large"])


def test_names_in_any_script_whatever_the_terminal_speaks() -> None:
    document = ivey_hellmuth()
    document["players"][0]["name"] = "Łukasz ♠"
    del document["pair_stakes"]
    status, (answer,), _ = run(line(document), LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert status == 0
    assert answer["players"][0]["name"] == "Łukasz ♠"


def test_many_documents_in_order() -> None:
    documents = [random_document(random.Random(number)) for number in range(300)]
    status, answers, complaints = run(b"\n".join(map(line, documents)) + b"\n", "--jsonl")
    assert status == 0
    assert answers == [score(document) for document in documents]
    assert complaints == "", "the progress bar is for terminals"


def test_a_bad_line_is_answered_in_its_place_and_the_rest_go_on() -> None:
    good, expected = line(ivey_hellmuth()), score(ivey_hellmuth())
    lines = [good, b"{", b"", good, b"[1]", b" " * (MAX_BYTES * 3), b"\xff", good + b"\r", b"{}", good]
    status, answers, _ = run(b"\n".join(lines), "--jsonl")
    assert status == 2
    assert [answer == expected or codes(answer)[0] for answer in answers] == [
        True, "not-json", "not-json", True, "bad-value", "too-large", "not-json", True, "missing", True,
    ]  # fmt: skip


def test_a_line_may_be_as_long_as_a_document() -> None:
    good = line(ivey_hellmuth())
    lines = [good.ljust(MAX_BYTES), good.ljust(MAX_BYTES + 1), good.ljust(MAX_BYTES) + b"\r", good]
    status, answers, _ = run(b"\n".join(lines) + b"\n", "--jsonl")
    assert status == 2
    assert ["errors" in answer for answer in answers] == [False, True, False, False]


def test_no_lines_are_no_error() -> None:
    done = subprocess.run([*COMMAND, "--jsonl"], input=b"", cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")


class Conversation:
    """The command as a running process that answers one line at a time."""

    def __init__(self) -> None:
        buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(
            [*COMMAND, "--jsonl"], cwd=ROOT, env=buffered, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin
        assert self.process.stdout
        self.source, self.out = self.process.stdin, self.process.stdout

    def answer_to(self, body: bytes) -> bytes:
        self.source.write(body)
        self.source.flush()
        return self.out.readline()

    def peak_memory(self) -> int:
        """The process's peak memory so far, in KiB; `wait4` would count the test's own, from before the `exec`."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(entry.split()[1]) for entry in status.splitlines() if entry.startswith("VmHWM:"))

    def end(self) -> int:
        self.source.close()
        self.out.close()
        return self.process.wait(timeout=60)


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    conversation = Conversation()
    patience = threading.Timer(60, conversation.process.kill)  # a missing answer would block the test forever
    patience.start()
    yield conversation
    patience.cancel()
    conversation.process.kill()
    conversation.end()


def test_each_line_is_answered_before_the_next_is_asked_for(conversation: Conversation) -> None:
    for _ in range(3):
        assert json.loads(conversation.answer_to(line(ivey_hellmuth()) + b"\n")) == score(ivey_hellmuth())
    assert conversation.end() == 0


def test_memory_stays_constant_over_many_lines(conversation: Conversation) -> None:
    """Eight thousand lines make about fifteen megabytes of answers, and the process must not hold them."""
    body = line(ivey_hellmuth()) + b"\n"
    size = sum(len(conversation.answer_to(body)) for _ in range(200))
    few = conversation.peak_memory()
    size += sum(len(conversation.answer_to(body)) for _ in range(8_000))
    many = conversation.peak_memory()
    assert size > 12_000_000
    assert many - few < 1_500, f"{few} KiB for two hundred lines, {many} KiB for eight thousand"


def test_an_endless_line_is_not_held_in_memory_either(conversation: Conversation) -> None:
    conversation.answer_to(b"\n")
    few = conversation.peak_memory()
    chunk = b" " * 1_000_000
    for _ in range(40):
        conversation.source.write(chunk)
    assert codes(json.loads(conversation.answer_to(b"\n"))) == ["too-large"]
    assert conversation.peak_memory() - few < 4_000, "a line of forty megabytes"
    assert conversation.end() == 2
