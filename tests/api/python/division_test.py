"""How a sweep is divided into parts, on workers that are simulated: times are counted, not waited for."""

import heapq

import pytest

from wavemodel import _division
from wavemodel._division import Division


def simulate(points, workers, seconds_of, known=True, latency=0.001):
    """Parts in the order in which they come back, and when each worker ended."""
    division = Division([(0, points)], workers if known else None)
    free, now, back, out, most_out = [(0.0, str(i)) for i in range(workers)], 0.0, [], [], 0
    while True:
        while len(out) < division.room and (part := division.next()) is not None:
            first, worker = heapq.heappop(free)
            begin = max(now, first) + latency
            seconds = sum(seconds_of(point) for point in range(part.begin, part.end))
            heapq.heappush(free, (begin + seconds, worker))
            heapq.heappush(out, (begin + seconds, part, worker, seconds))
        most_out = max(most_out, len(out))
        if not out:
            return back, [end for end, _ in free], most_out
        now, part, worker, seconds = heapq.heappop(out)
        division.done(part, part.end, seconds, worker)
        back.append((part, seconds))


@pytest.mark.parametrize("known", [True, False])
def test_parts_are_all_points_once_and_none_is_too_large(known):
    back, _, _ = simulate(200000, 4, lambda point: 1e-5, known)
    assert sorted(point for part, _ in back for point in (part.begin, part.end))[::2] == sorted(p.begin for p, _ in back)
    assert sum(part.points for part, _ in back) == 200000
    assert back[0][0].points == 1
    largest = 0
    for part, _ in back:
        assert part.points <= max(1, largest * _division.GROWTH) or largest == 0
        largest = max(largest, part.points)
    assert max(seconds for _, seconds in back) <= _division.WANTED_SECONDS * 1.01


def test_workers_end_together():
    _, ends, _ = simulate(100000, 8, lambda point: 1e-4)
    assert max(ends) - min(ends) < _division.WANTED_SECONDS
    assert sum(ends) < 1.1 * 10


def test_as_many_parts_are_out_as_there_are_workers():
    for workers in (1, 3, 16):
        assert simulate(100000, workers, lambda point: 1e-4)[2] == workers


def test_without_their_number_all_workers_are_found_and_parts_do_not_queue():
    _, ends, most_out = simulate(400000, 16, lambda point: 1e-4, known=False)
    assert 16 < most_out <= 2 * 16
    assert max(ends) < 1.5 * 40 / 16


def test_what_becomes_dearer_makes_smaller_parts():
    back, _, _ = simulate(20000, 2, lambda point: 1e-5 if point < 10000 else 1e-2)
    after = [part.points for part, _ in back if part.begin > 15000]
    assert max(after) <= _division.WANTED_SECONDS / 1e-2 + 1


def test_the_rest_of_a_part_and_what_was_lost_come_before_all_else():
    division = Division([(0, 1), (5, 100)], 2)
    first, second = division.next(), division.next()
    assert (first.begin, first.end, second.begin, second.end) == (0, 1, 5, 6)
    division.done(first, 1, 1e-9, "one")
    division.lost(second)
    again = division.next()
    assert (again.begin, again.end, again.tries) == (5, 6, 2)
    third = division.next()
    assert third.begin == 6 and third.points == 8
    division.done(third, 9, 1.0, "one")
    assert (division.next().begin, division._left) == (9, 90)


def test_a_part_is_late_ten_times_after_it_should_be_back():
    division = Division([(0, 1000)], 1)
    first = division.next()
    assert division.late_after(first) == _division.LATE_AT_FIRST_SECONDS and division.expected(first) == 0
    division.done(first, 1, 2.0, "one")
    assert division.late_after(division.next()) == 20
    quick = Division([(0, 1000)], 1)
    quick.done(quick.next(), 1, 1e-6, "one")
    assert quick.late_after(quick.next()) == 10


def test_rows_are_one_message_and_states_are_bounded_by_time_alone():
    for most in (_division.MOST_POINTS, 10**9):
        division = Division([(0, 10**9)], 2, most)
        sizes = []
        while (part := division.next()) is not None:
            division.done(part, part.end, part.points * 1e-8, "a")
            sizes.append(part.points)
        assert sum(sizes) == 10**9
        assert max(sizes) == min(most, int(_division.WANTED_SECONDS / 1e-8))
