"""Work in the background: where it runs, how it ends, how it is stopped."""

import sys
import threading

import pytest
from PySide6.QtCore import QThread

from caucus_desk.rules.errors import Refused
from caucus_desk.ui.widgets.jobs import Jobs


@pytest.fixture
def jobs(qtbot):
    made = Jobs()
    yield made
    made.cancel_all()
    assert made.wait(10_000)


class Ends:
    """What came back, and on which thread."""

    def __init__(self):
        self.done, self.failed, self.cancelled, self.threads = [], [], 0, []

    def take(self, result):
        self.threads.append(QThread.currentThread())
        self.done.append(result)

    def fail(self, error):
        self.threads.append(QThread.currentThread())
        self.failed.append(error.sentence)

    def cancel(self):
        self.cancelled += 1


def run(jobs, work, ends, **more):
    return jobs.run("Working", work, ends.take, failed=ends.fail, cancelled=ends.cancel, **more)


def test_work_runs_aside_and_its_result_comes_back_to_the_window(qtbot, qapp, jobs):
    ends, where = Ends(), []
    with qtbot.waitSignal(jobs.idle):
        run(jobs, lambda progress: where.append(threading.current_thread()) or 42, ends)
    assert ends.done == [42]
    assert where[0] is not threading.main_thread()
    assert ends.threads == [qapp.thread()]


def test_a_refusal_comes_back_as_its_sentence(qtbot, jobs):
    ends = Ends()

    def work(progress):
        raise Refused("The file is not there.")

    with qtbot.waitSignal(jobs.idle):
        run(jobs, work, ends)
    assert ends.failed == ["The file is not there."]
    assert not ends.done


def test_a_fault_of_the_program_goes_to_the_exception_hook(qtbot, jobs, monkeypatch):
    seen, ends = [], Ends()
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: seen.append(error))

    def work(progress):
        return 1 // 0

    with qtbot.waitSignal(jobs.idle):
        run(jobs, work, ends)
    assert isinstance(seen[0], ZeroDivisionError)
    assert not ends.done
    assert not ends.failed
    assert not jobs.busy


def test_cancelling_stops_the_work_at_its_next_progress_call(qtbot, jobs):
    ends, begun, go = Ends(), threading.Event(), threading.Event()
    steps = []

    def work(progress):
        for step in range(1000):
            progress(step, 1000, "step")
            steps.append(step)
            begun.set()
            go.wait(10)

    job = run(jobs, work, ends)
    assert begun.wait(10)
    job.cancel()
    with qtbot.waitSignal(jobs.idle):
        go.set()
    assert ends.cancelled == 1
    assert steps == [0]


def test_work_that_cannot_be_cancelled_goes_on(qtbot, jobs):
    ends, go = Ends(), threading.Event()

    def work(progress):
        go.wait(10)
        progress(1, 1, "")
        return "whole"

    job = run(jobs, work, ends, cancellable=False)
    job.cancel()
    with qtbot.waitSignal(jobs.idle):
        go.set()
    assert ends.done == ["whole"]


def test_one_piece_of_work_at_a_time_in_the_order_given(qtbot, jobs):
    ends, together, most = Ends(), [], []

    def piece(number):
        def work(progress):
            together.append(number)
            most.append(len(together))
            together.remove(number)
            return number

        return work

    with qtbot.waitSignal(jobs.idle):
        for number in range(4):
            run(jobs, piece(number), ends)
    assert ends.done == [0, 1, 2, 3]
    assert set(most) == {1}


def test_progress_is_told_with_its_last_step(qtbot, jobs):
    ends, told, listening = Ends(), [], threading.Event()

    def work(progress):
        listening.wait(10)
        for step in range(1, 501):
            progress(step, 500, "rows")

    job = run(jobs, work, ends)
    job.progressed.connect(lambda done, total, what: told.append((done, total, what)))
    listening.set()
    qtbot.waitUntil(lambda: bool(ends.done), timeout=10_000)
    assert told[-1] == (500, 500, "rows")
    assert len(told) < 100
