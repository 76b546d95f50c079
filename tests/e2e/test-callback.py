#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The C client's callbacks on overflow, against what the guest itself saw."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import bench
import child
from bench import GUESTS, daemon, holds, pmuctl, same, shows

EXAMPLE = pathlib.Path(bench.PMUCTL).parents[1] / "client/overflow-callback"
HANDLER = pathlib.Path(bench.PMUCTL).parents[1] / "client/ebb-handler"
TALLY = pathlib.Path(bench.PMUCTL).parents[1] / "tests/e2e/ebb-tally"
GUEST = GUESTS["overflow-rv64"]
LINE = re.compile(r"(\d+): hart 0 counter (\d+) \((\w+)\) at 0x[0-9a-f]+, "
                  r"next (0x[0-9a-f]+), mode S, insn (\d+), cycle (\d+)")


def callbacks(bench_daemon, counter):
    """Start the guest with overflows held to its end; what was called back."""
    socket = os.path.join(bench_daemon.runtime, "pmud.sock")
    done = subprocess.run([EXAMPLE, f"unix://{socket}", GUEST, str(counter)],
                          capture_output=True, text=True, check=False,
                          timeout=bench.LONG, env=bench_daemon.env())
    same(done.returncode, 0, done.stderr)
    *lines, last = done.stdout.splitlines()
    found = [LINE.fullmatch(line) for line in lines]
    holds(all(found), done.stdout)
    same(last, f"{len(found)} overflows")
    same([int(m[1]) for m in found], list(range(1, len(found) + 1)))
    return found


def test_callbacks_come_late_but_all_of_them_and_in_order():
    samples = re.findall(rb"sample (\w+) counter (\d+) pc (0x[0-9a-f]+)",
                         pmuctl("run", GUEST).out)
    with daemon() as d:
        for counter in (3, 4):
            seen = [(m[3].encode(), m[4].encode())
                    for m in callbacks(d, counter)]
            wanted = [(s[0], s[2]) for s in samples if int(s[1]) == counter]
            holds(len(wanted) > 10, samples)
            same(seen, wanted)


def test_a_counter_that_never_overflows_calls_nothing_back():
    with daemon() as d:
        same(callbacks(d, 31), [])


def test_a_counter_that_cannot_overflow_is_refused():
    with daemon() as d:
        socket = os.path.join(d.runtime, "pmud.sock")
        done = subprocess.run([EXAMPLE, f"unix://{socket}", GUEST, "2"],
                              capture_output=True, text=True, check=False,
                              timeout=bench.LONG)
        same(done.returncode, 1)
        holds("counter 2 cannot overflow" in done.stderr, done.stderr)


def handled(bench_daemon, counter, period, times, *event):
    """What the handler of event-based branches of a new machine prints."""
    socket = os.path.join(bench_daemon.runtime, "pmud.sock")
    return subprocess.run(
        [HANDLER, f"unix://{socket}", GUEST, str(counter), str(period),
         str(times), *event],
        capture_output=True, text=True, check=False, timeout=bench.LONG,
        env=bench_daemon.env())


def test_a_handler_that_owns_its_counter_is_called_at_every_period():
    with daemon() as d:
        first = handled(d, 9, 1000, 50)
        same(first.returncode, 0, first.stderr)
        insns = [int(n) for n in re.findall(r"insn (\d+)", first.stdout)]
        same(insns, list(range(1000, 51000, 1000)))
        same(handled(d, 9, 1000, 50).stdout, first.stdout)


def test_a_handler_of_cycles_is_called_where_each_period_ends():
    with daemon() as d:
        first = handled(d, 9, 1000, 50, "cycles")
        same(first.returncode, 0, first.stderr)
        print("#", first.stdout[-200:].replace("\n", "\n# "))
        at = [(int(n), int(c)) for n, c in re.findall(
            r"insn (\d+), cycle (\d+)", first.stdout)]
        same([c for _, c in at], list(range(1000, 51000, 1000)))
        same(handled(d, 9, 1000, 50, "cycles").stdout, first.stdout)


def test_a_handler_of_a_counter_that_cannot_overflow_is_refused():
    with daemon() as d:
        done = handled(d, 2, 1000, 1)
        same(done.returncode, 1)
        holds("counter: one of 3 to 31 must be named" in done.stderr,
              done.stderr)


def repeats(machine_daemon, machine):
    """Save its trace; what the trace says again without any handler.

    To the byte.
    """
    first, again = bench.WORK / "first.trace", bench.WORK / "again.trace"
    machine_daemon.pmuctl("trace", "save", "-m", machine, first)
    pmuctl("run", "--replay", first, "--record", "none", "--trace", again,
           GUEST)
    holds(again.read_bytes() == first.read_bytes(), "bytes differ")
    return pmuctl("trace", "show", "--kind", "overflow,input,ebb", again).out


def tallied(how, period, times, rings=True):
    """Has the handler been called so often, at every period, none missing?"""
    with daemon() as d:
        socket = os.path.join(d.runtime, "pmud.sock")
        if not rings:
            d.pmuctl("machine", "list")  # its second socket comes later
            os.unlink(os.path.join(d.runtime, "pmud.fd.sock"))
        done = subprocess.run(
            [TALLY, f"unix://{socket}", GUESTS["spin-rv64"], how, str(period),
             str(times)], capture_output=True, text=True, check=False,
            timeout=5 * bench.LONG, env=d.env())
        same((done.stdout, done.returncode), (f"{times} calls\n", 0),
             done.stderr)


def test_a_million_callbacks_come_and_none_is_missing():
    tallied("poll", 100, 1000000)


def test_a_machine_that_runs_on_repeats_from_its_trace():
    with daemon() as d:
        socket = os.path.join(d.runtime, "pmud.sock")
        done = subprocess.run(
            [TALLY, f"unix://{socket}", GUEST, "keep", "100", "300"],
            capture_output=True, text=True, check=False, timeout=bench.LONG,
            env=d.env())
        same((done.stdout, done.returncode), ("300 calls\n", 0), done.stderr)
        m = d.pmuctl("-j", "machine", "list").json()["machines"][0]["id"]
        d.pmuctl("machine", "wait", m)
        seen = repeats(d, m)
    told = len(re.findall(rb"ebb session 1 told", seen))
    holds(told >= 300, told)


def test_a_thread_calls_the_handler_while_the_program_goes_on():
    tallied("thread", 100, 20000)


def test_a_thread_handles_a_machine_that_stands_for_it():
    tallied("frozen", 1000, 5000)


def test_without_a_ring_calls_do_and_the_machine_goes_on():
    tallied("any", 100, 5000)
    tallied("any", 100, 5000, rings=False)


@shows("C157")
def test_a_forked_child_has_a_dead_handle_and_the_parent_goes_on():
    tallied("fork", 100, 5000)


@shows("C157")
def test_the_parents_death_releases_all_while_its_child_lives():
    with daemon() as d:
        socket = os.path.join(d.runtime, "pmud.sock")
        tally = child.start(
            [TALLY, f"unix://{socket}", GUEST, "abandon", "1000", "5"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=d.env())
        left = int(tally.stdout.readline())
        same(tally.wait(timeout=bench.LONG), -signal.SIGKILL)
        m = d.pmuctl("-j", "machine", "list").json()["machines"][0]["id"]
        for _ in range(1000):
            if not d.show(m).get("ebbSession"):
                break
            time.sleep(0.01)
        same(d.show(m).get("ebbSession"), 0)
        d.pmuctl("machine", "wait", m)
        stat = pathlib.Path("/proc", str(left), "stat").read_text()
        holds(stat.rpartition(")")[2].split()[0] == "S", stat)
        tally.stdin.close()
        while pathlib.Path("/proc", str(left), "stat").exists():
            os.waitpid(left, 0)  # an orphan is this process's
        seen = repeats(d, m)
    same(len(re.findall(rb"ebb session 1 told", seen)), 5, seen)


def held(d, machine):
    """The session whose handler holds it; waits until one does."""
    while not (session := d.show(machine).get("ebbSession")):
        os.sched_yield()
    return session


def test_a_handler_that_hangs_is_released():
    with daemon() as d:
        socket = os.path.join(d.runtime, "pmud.sock")
        handler = child.start(
            [HANDLER, f"unix://{socket}", GUEST, "9", "100", "1000000000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=d.env())
        while not (machines := d.pmuctl("-j", "machine", "list").json()
                   ["machines"]):
            os.sched_yield()
        m = machines[0]["id"]
        session = held(d, m)
        handler.send_signal(signal.SIGSTOP)
        same(held(d, m), session)
        refused = d.pmuctl("machine", "release", m, session + 1, code=4)
        holds(b"EBB session 2: there is none" in refused.err, refused)
        d.pmuctl("machine", "release", m)
        same(d.show(m)["ebbSession"], 0)
        done = d.pmuctl("machine", "release", m, code=1)
        holds(b"no handler holds machine " in done.err, done)
        handler.send_signal(signal.SIGCONT)
        _, said = handler.communicate(timeout=bench.LONG)
        same(handler.returncode, 1, said)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
