#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Idle time that lasts as long as the host's: what it costs, what it changes.

The guest nap sleeps for 1000 ticks at a time. No limit of time here decides
whether a test passes, but that time which was to pass has passed.
"""
import os
import subprocess
import sys
import time

import bench
from bench import GUESTS, ISAS, WORK, daemon, holds, pmuctl, same
from terminal import Terminal

PACED = ["--set", "pace=real"]
# A nap of 1000 s, and one of 50 ms.
LONG_NAP = ["--set", "clock-hz=1000000", "--set", "time-hz=1"]
SHORT_NAP = ["--set", "clock-hz=1000000", "--set", "time-hz=20000"]
LONG_CYCLES = 1000 * 1000000


def traced(name, *args, code=0):
    path = WORK / name
    pmuctl("run", "--trace", path, *args, code=code)
    return path.read_bytes()


def settings(d, name):
    config = d.show(name)["config"]
    return {s["key"]: s["value"] for s in config.get("settings", [])}


def nap(d, *options):
    """A machine that sleeps its first nap."""
    m = d.create("nap-rv64", "--mode", "m", "--record", "all", *options)
    d.pmuctl("machine", "start", m)
    while int(d.show(m)["insn"]) < 10:
        os.sched_yield()
    return m


def test_a_paced_run_has_the_trace_of_one_that_is_not():
    rows = [("timer", ["--mode", "m"], 0), ("idle", ["--mode", "m"], 0),
            ("smp", ["--mode", "m", "--harts", "4"], 0),
            ("sbi-harts", ["--harts", "4"], 0),
            ("nap", ["--mode", "m", "--max-cycles", "1010000",
                     "--set", "clock-hz=10M"], 124)]
    for isa in ISAS:
        for name, options, code in rows:
            run = [*options, GUESTS[f"{name}-{isa}"]]
            holds(traced("paced", *PACED, *run, code=code) ==
                  traced("plain", *run, code=code), run)


def test_an_idle_stretch_lasts_as_long_as_it_is():
    begin = time.monotonic()
    pmuctl("run", "--mode", "m", *PACED, *SHORT_NAP, "--max-cycles", "310000",
           GUESTS["nap-rv64"], code=124)
    holds(time.monotonic() - begin >= 0.3, "310000 cycles of 1 us")


def test_time_that_is_not_paced_is_skipped():
    begin = time.monotonic()
    pmuctl("run", "--mode", "m", *LONG_NAP, "--max-cycles", 5 * LONG_CYCLES,
           GUESTS["nap-rv64"], code=124)
    holds(time.monotonic() - begin < 5000, "it slept")


def test_sleeping_machines_cost_no_processor():
    with daemon() as d:
        machines = [nap(d, *PACED, *LONG_NAP) for _ in range(4)]
        pids = [d.process.pid, *d.machine_pids()]
        same(len(pids), 5)
        used, begin = bench.processor_time(pids), time.monotonic()
        time.sleep(1)
        used = bench.processor_time(pids) - used
        passed = time.monotonic() - begin
        holds(used <= passed / 4, f"{used} s of {passed} s")
        for m in machines:
            same(d.show(m)["state"], "MACHINE_STATE_RUNNING")


def test_the_clock_of_a_sleeping_machine_is_seen_to_go():
    with daemon() as d:
        m = nap(d, *PACED, *LONG_NAP)
        before = int(d.show(m)["cycle"])
        time.sleep(0.1)
        holds(int(d.show(m)["cycle"]) - before >= 100000, "0.1 s at 1 MHz")


def test_a_sleeping_machine_answers_and_can_be_held_and_ended():
    with daemon() as d:
        m = nap(d, *PACED, *LONG_NAP)
        d.pmuctl("stat", "-m", m)
        d.pmuctl("csr", "read", "-m", m, "mcycle")
        d.pmuctl("machine", "pause", m)
        held = d.show(m)
        same(held["state"], "MACHINE_STATE_PAUSED")
        time.sleep(0.01)
        same(d.show(m)["cycle"], held["cycle"])
        until = int(held["cycle"]) + 1000
        d.pmuctl("machine", "until", m, "--cycle", until)
        same(int(d.show(m)["cycle"]), until)
        d.pmuctl("csr", "write", "-m", m, "mscratch", "1")
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "delete", m)
        same(d.pmuctl("-j", "machine", "list").json()["machines"], [])


def test_an_input_is_stamped_inside_the_nap_and_replays():
    with daemon() as d:
        m = nap(d, *PACED, *LONG_NAP)
        d.pmuctl("machine", "input", m, stdin=b"ab")
        d.pmuctl("machine", "input", m, stdin=b"c")
        d.pmuctl("machine", "pause", m)
        show = d.pmuctl("-j", "trace", "show", "-m", m, "-k", "input").text()
        holds(show.count('"cycle"') >= 2, show)
        cycle = int(d.show(m)["cycle"])
        holds(0 < cycle < LONG_CYCLES, cycle)
        insns = d.show(m)["insn"]
        holds(int(insns) < 20, "it slept all the time")


def test_a_paced_session_replays_to_the_byte_and_at_once():
    for isa in ISAS:
        path, again = WORK / f"live-{isa}", WORK / f"again-{isa}"
        run = bench.start("run", "--mode", "m", *PACED, *SHORT_NAP, "--trace",
                          path, GUESTS[f"nap-{isa}"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        out = b""
        for byte in b"one, two, q":
            run.stdin.write(bytes([byte]))
            run.stdin.flush()
            out += run.stdout.read(2)  # the echo, and the cycle's digit
        out += run.stdout.read()
        run.stdin.close()
        same(run.wait(timeout=bench.LONG), 0, out)
        same(out[0::2], b"one, two, q\n")
        done = pmuctl("run", "--replay", path, "--trace", again,
                      GUESTS[f"nap-{isa}"])
        same(done.out, out)
        holds(path.read_bytes() == again.read_bytes(), "bytes differ")
        head = pmuctl("-j", "trace", "show", path, "-n", "1").out
        holds(b"pace" not in head, head)


def long_nap():
    """The trace of naps that would last for 5000 s."""
    traced("long", "--mode", "m", *LONG_NAP, "--max-cycles", 5 * LONG_CYCLES,
           GUESTS["nap-rv64"], code=124)
    return WORK / "long"


def test_a_replay_does_not_wait_whatever_is_said_of_pace():
    # else it is over LONG, and fails
    path = long_nap()
    again = traced("long-again", "--replay", path, *PACED,
                   GUESTS["nap-rv64"], code=124)
    holds(path.read_bytes() == again, "bytes differ")


def on_terminal(d, *args):
    """The settings of the machine that run makes on a terminal."""
    with Terminal() as t:
        run = d.start("run", *args, GUESTS["nap-rv64"], stdin=t.slave,
                      stdout=t.slave, stderr=t.slave, start_new_session=True)
        machines = []
        while not machines:
            machines = d.pmuctl("-j", "machine", "list").json()["machines"]
        name = machines[0]["id"]
        found = settings(d, name)
        run.terminate()
        t.rest(run)
        run.wait(timeout=bench.LONG)
    if "--detach" in args:
        d.pmuctl("machine", "delete", name)
    while d.pmuctl("-j", "machine", "list").json()["machines"]:
        os.sched_yield()
    return found


def test_a_run_on_a_terminal_is_paced_unless_told_otherwise():
    with daemon() as d:
        same(on_terminal(d, "--mode", "m")["pace"], "real")
        same(on_terminal(d, "--mode", "m", "--set", "pace=none")["pace"],
             "none")


def test_what_nobody_looks_at_is_not_paced_on_a_terminal_either():
    replay = ["--replay", long_nap(), "--max-cycles", 1 << 62]
    with daemon() as d:
        for options in (["--mode", "m", "--batch"], ["--mode", "m", "--detach"],
                        replay):
            holds("pace" not in on_terminal(d, *options), options)


def test_what_pace_is_not_is_refused():
    done = pmuctl("run", "--set", "pace=slow", GUESTS["timer-rv64"], code=2)
    holds(b"none" in done.err and b"real" in done.err, done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
