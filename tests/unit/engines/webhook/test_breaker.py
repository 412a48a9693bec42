"""The circuit breaker, on a clock that tests turn."""

from __future__ import annotations

import threading

import pytest

from interpreter.engines.webhook.breaker import CircuitBreaker


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(failures=3, pause=10, clock=clock)


def fail(breaker: CircuitBreaker, times: int) -> None:
    for _time in range(times):
        assert breaker.admit()
        breaker.failed("nobody there")


def test_failures_in_a_row_open_it(breaker: CircuitBreaker) -> None:
    fail(breaker, 2)
    assert breaker.state == "closed"
    fail(breaker, 1)
    assert breaker.state == "open"
    assert not breaker.admit()
    assert (
        breaker.describe()
        == "circuit open, next try in 10.0 s, 3 failed in a row, the last: nobody there"
    )


def test_a_success_starts_the_count_anew(breaker: CircuitBreaker) -> None:
    fail(breaker, 2)
    assert breaker.admit()
    breaker.succeeded()
    fail(breaker, 2)
    assert breaker.state == "closed"


def test_after_the_pause_one_call_tries(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 10
    assert breaker.state == "half-open"
    assert breaker.admit()
    assert not breaker.admit()
    breaker.succeeded()
    assert breaker.state == "closed"
    assert breaker.describe() == "circuit closed"


def test_a_failed_try_opens_it_again_at_once(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 10
    fail(breaker, 1)
    assert breaker.state == "open"
    clock.now += 9.9
    assert not breaker.admit()


def test_a_try_that_says_nothing_leaves_the_door_ajar(
    breaker: CircuitBreaker, clock: Clock
) -> None:
    fail(breaker, 3)
    clock.now += 10
    assert breaker.admit()
    breaker.abandoned()
    assert breaker.state == "half-open"
    assert breaker.admit()


def test_of_many_threads_one_tries(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 3)
    clock.now += 10
    admitted: list[bool] = []
    threads = [
        threading.Thread(target=lambda: admitted.append(breaker.admit())) for _each in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(admitted) == [False] * 15 + [True]
