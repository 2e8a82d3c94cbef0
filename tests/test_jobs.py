"""Who comes next when requests wait for a thread."""

from __future__ import annotations

import threading

from ofcscore import jobs
from ofcscore.jobs import Job, Jobs


def job(client: str, *, known: bool = True) -> Job:
    return Job(lambda: None, client, known)


def waiting(*jobs: Job) -> Jobs:
    found = Jobs()
    for each in jobs:
        assert found.add(each)
    return found


def clients(of: Jobs, many: int) -> str:
    return " ".join(of.take().client for _ in range(many))


def test_clients_take_turns() -> None:
    assert clients(waiting(*map(job, "aaaabbc")), 7) == "a b c a b a a"


def test_a_client_keeps_the_order_of_its_requests() -> None:
    first, second = job("a"), job("a")
    line = waiting(first, job("b"), second)
    assert [line.take() for _ in range(3)][::2] == [first, second]


def test_known_browsers_come_first_but_strangers_are_not_forgotten() -> None:
    line = waiting(*(job("s", known=False) for _ in range(3)), *(job("k") for _ in range(6)))
    assert clients(line, 9) == "k k k s k k k s s"


def test_strangers_need_not_wait_when_nobody_else_does() -> None:
    assert clients(waiting(*(job(name, known=False) for name in "sst")), 3) == "s t s"


def test_the_job_of_who_has_left_is_not_done() -> None:
    gone, stays = job("a"), job("a")
    line = waiting(gone, stays)
    assert line.drop(gone)
    assert line.take() is stays
    assert not line.drop(stays)
    assert not line.drop(gone)


def test_a_client_may_have_so_many_waiting() -> None:
    line = waiting(*(job("a") for _ in range(jobs.MOST_OF_A_CLIENT)))
    assert not line.add(job("a"))
    assert line.add(job("b"))
    line.take()
    assert line.add(job("a"))


def test_strangers_do_not_take_the_room_of_known_browsers() -> None:
    full = jobs.MOST // jobs.MOST_OF_A_CLIENT
    line = waiting(*(job(f"s{n % full}", known=False) for n in range(jobs.MOST)))
    assert not line.add(job("t", known=False))
    assert line.add(job("k"))
    assert line.take().client == "k"


def test_a_thread_waits_for_work() -> None:
    line, taken = Jobs(), list[Job]()
    thread = threading.Thread(target=lambda: taken.append(line.take()))
    thread.start()
    work = job("a")
    line.add(work)
    thread.join(10)
    assert taken == [work]
