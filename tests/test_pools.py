"""Work done side by side: the order, what is taken ahead, and where errors come out."""

import threading
from collections.abc import Iterator

import pytest

from pyramide_cli.pools import Threads, cores


def numbers(count: int, taken: list[int], fault: Exception | None = None) -> Iterator[int]:
    for number in range(count):
        taken.append(number)
        yield number
    if fault is not None:
        raise fault


@pytest.mark.parametrize("jobs", [1, 2, 5, None])
@pytest.mark.parametrize("even", [False, True])
def test_results_keep_the_order_of_the_items(jobs: int | None, even: bool) -> None:
    first_may_end = threading.Event()

    def work(number: int) -> int:
        if number == 1:
            first_may_end.set()
        if number == 0 and pool.jobs > 1:
            assert first_may_end.wait(60)
        return number * number

    with Threads(jobs) as pool:
        assert list(pool.map(work, range(500), even=even)) == [number * number for number in range(500)]
        assert list(pool.map(work, [], even=even)) == []


@pytest.mark.parametrize(("jobs", "even", "most"), [(1, False, 1), (2, True, 4), (2, False, 128)])
def test_only_so_many_items_are_taken_ahead(jobs: int, even: bool, most: int) -> None:
    taken: list[int] = []
    with Threads(jobs) as pool:
        for number, _ in enumerate(pool.map(str, numbers(1000, taken), even=even)):
            assert len(taken) - number <= most + 1
    assert len(taken) == 1000


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_of_the_input_comes_after_all_that_was_before_it(jobs: int) -> None:
    results = []
    with Threads(jobs) as pool, pytest.raises(ValueError, match="bad line"):  # noqa: PT012
        for result in pool.map(str, numbers(40, [], ValueError("bad line"))):
            results.append(result)
    assert results == [str(number) for number in range(40)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_of_the_work_comes_in_its_place(jobs: int) -> None:
    results = []

    def work(number: int) -> float:
        return 1 / (number - 17)

    with Threads(jobs) as pool, pytest.raises(ZeroDivisionError):  # noqa: PT012
        for result in pool.map(work, range(40)):
            results.append(result)
    assert len(results) == 17


def test_the_end_of_a_pool_waits_for_nobody() -> None:
    may_end = threading.Event()
    done: list[int] = []

    def work(number: int) -> None:
        assert number == 0 or may_end.wait(60)
        done.append(number)

    with pytest.raises(KeyboardInterrupt), Threads(2) as pool:  # noqa: PT012
        for _ in pool.map(work, range(100)):
            raise KeyboardInterrupt
    assert done == [0]
    may_end.set()


def test_neighbours_are_worked_on_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=60)
    with Threads(2) as pool:
        assert len(list(pool.map(lambda number: both.wait(), range(100)))) == 100


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_slow_input_is_answered_before_it_goes_on(jobs: int) -> None:
    answered = [threading.Event() for _ in range(6)]

    def typed() -> Iterator[int]:
        yield from range(2)  # two at once, then one after the other
        for number in range(2, 6):
            if jobs > 1:
                assert answered[number - 1].wait(60)
            yield number

    with Threads(jobs) as pool:
        for number, answer in enumerate(pool.map(str, typed())):
            assert answer == str(number)
            answered[number].set()
    assert all(event.is_set() for event in answered)


def test_an_input_that_never_goes_on_holds_up_nobody() -> None:
    never = threading.Event()

    def stuck() -> Iterator[int]:
        yield 1
        assert never.wait(60)

    with Threads(2) as pool:
        results = pool.map(str, stuck())
        assert next(results) == "1"
        results.close()  # type: ignore[attr-defined]
    never.set()


def test_there_is_at_least_one_core() -> None:
    assert Threads().jobs == cores() >= 1
