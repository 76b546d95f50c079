#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl record and what reads it: samples at exact places, by function."""
import contextlib
import json
import re
import signal
import subprocess
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same

GUEST = "overflow-rv64"
PERIOD = 1009
TP = 4  # the only register that the guest has no use for
WAYS = ("engine=portable", "engine=check", "engines=2", "step-only=on")


def record(name, *args, guest=GUEST, run=()):
    path = WORK / name
    pmuctl("record", *args, "-o", path, "--", "run", *run, GUESTS[guest])
    return path


def records(path, *args):
    done = pmuctl("-j", "trace", "show", path, *args)
    return [json.loads(line) for line in done.text().splitlines()]


def samples(path):
    return [r for r in records(path) if "sample" in r]


def test_there_are_as_many_samples_as_periods():
    path = record("all.trace", "-e", "cycles:s,branches,exceptions", "-c",
                  PERIOD)
    done = pmuctl("-j", "stat", "-e", "cycles:s,branches,exceptions", "--",
                  "run", GUESTS[GUEST])
    for line in done.err.decode().splitlines():
        line = json.loads(line)
        found = [r["sample"] for r in samples(path)
                 if r["sample"]["event"] == line["event"]]
        same(sum(int(s["periods"]) for s in found),
             int(line["count"]) // PERIOD, line)
    holds(len(samples(path)) > 600)


def registers(d, m):
    found = d.pmuctl("-j", "reg", "list", "-m", m).json()
    return int(found["pc"]), [int(x) for x in found["x"]]


def test_a_sample_has_the_registers_of_its_instruction():
    for isa in bench.ISAS:
        guest, options = f"overflow-{isa}", bench.isa_options(isa)
        found = samples(record("insns.trace", "-e", "instructions", "-c", 997,
                               "--registers", guest=guest, run=options))
        same([int(r["insn"]) for r in found],
             [997 * (i + 1) for i in range(len(found))])
        had = {n: set() for n in range(32)}
        with daemon() as d:
            m = d.create(guest, *options)
            d.pmuctl("machine", "start", m, "--paused")
            for r in found[::len(found) // 50]:
                insn, sample = int(r["insn"]), r["sample"]
                d.pmuctl("machine", "until", m, "--insn", insn - 1)
                same(registers(d, m)[0], int(sample["lastPc"]), r)
                d.pmuctl("machine", "until", m, "--insn", insn)
                of_sample = [int(x) for x in sample["registers"]]
                same(registers(d, m), (int(r["pc"]), of_sample), r)
                for n, x in enumerate(of_sample):
                    had[n].add(x)
        # Which registers a guest needs is its compiler's affair.
        idle = {n for n in had if had[n] == {0}}
        holds({0, TP} <= idle and len(idle) < len(had) // 4, had)


def test_sampling_changes_nothing_of_the_run():
    plain = WORK / "plain.trace"
    one = pmuctl("run", "--trace", plain, "--record", "none", GUESTS[GUEST])
    sampled = WORK / "sampled.trace"
    two = pmuctl("record", "-e", "cycles,loads", "-c", "100", "-g", "-o",
                 sampled, "--", "run", GUESTS[GUEST])
    same(two.out, one.out)
    same([r for r in records(sampled) if "sample" not in r], records(plain))
    again = record("again.trace", "-e", "cycles,loads", "-c", "100", "-g",
                   run=["--set", "engines=2"])
    same(samples(again), samples(sampled))
    both = record("both.trace", "-e", "cycles", "-c", "100", "-g",
                  run=["--record", "sbi"])
    holds(any("sbiCall" in r for r in records(both)))
    same(len(samples(both)),
         len([r for r in samples(sampled)
              if r["sample"]["event"] == "cycles"]))


def test_samples_are_the_same_in_every_mode_of_the_engine():
    def places(path, event):
        return [(r["cycle"], r["insn"], r["pc"], r["sample"]["lastPc"])
                for r in samples(path) if r["sample"]["event"] == event]

    events = ("branches", "loads", "stores")
    asked = ("-e", ",".join(events), "-c", "197")
    wanted = record("modes.trace", *asked)
    for way in WAYS:
        found = record("mode.trace", *asked, run=["--set", way])
        same(samples(found), samples(wanted), way)
    for event in events:
        alone = record("alone.trace", "-e", event, "-c", "197")
        same(places(alone, event), places(wanted, event))
        holds(len(places(alone, event)) > 50, event)


def test_functions_are_reported():
    path = record("report.trace", "-e", "cycles,branches:s", "-c", "1k")
    rows = pmuctl("-j", "report", "--symbols", GUESTS[GUEST],
                  path).json()["functions"]
    holds({"sieve", "chase", "strings"} <= {r["function"] for r in rows}, rows)
    same(sum(int(r["samples"]) for r in rows), len(samples(path)))
    for event in ("cycles", "branches:s"):
        of_event = [r for r in rows if r["event"] == event]
        holds(99 < sum(float(r["percent"]) for r in of_event) < 101, of_event)
        counts = [int(r["samples"]) for r in of_event]
        same(counts, sorted(counts, reverse=True))
    without = pmuctl("report", path).text()
    holds("0x8020" in without and "sieve" not in without, without)
    lines = pmuctl("script", "--symbols", GUESTS[GUEST], path).text()
    same(len(lines.splitlines()), len(samples(path)) + 1)
    holds("sample branches:s period 1000" in lines, lines[:300])


def test_two_records_are_compared():
    a = record("a.trace", "-e", "cycles", "-c", "1k")
    b = WORK / "b.trace"
    pmuctl("record", "-e", "cycles", "-c", "1k", "-o", b, "--", "run",
           "--max-cycles", "300k", GUESTS[GUEST], code=124)
    rows = pmuctl("-j", "diff", "--symbols", GUESTS[GUEST], a,
                  b).json()["functions"]
    same(sum(int(r["samples"]) for r in rows),
         len(samples(b)) - len(samples(a)))
    for r in rows:
        holds(abs(float(r["after"]) - float(r["before"]) -
                  float(r["change"])) < 0.02, r)
    rows = pmuctl("-j", "diff", a, a).json()["functions"]
    same({(r["change"], r["samples"]) for r in rows}, {(0.0, "0")})


@contextlib.contextmanager
def sampled(d, m, path, *args):
    """Meanwhile m is sampled; the process is told to end, unless it has."""
    process = d.start("record", "-m", m, *args, "-o", path,
                      stderr=subprocess.PIPE)
    line = process.stderr.readline().decode()
    holds("sampling from cycle" in line, line)
    process.begins = int(re.search(r"cycle (\d+)", line)[1])
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    same(process.wait(timeout=bench.LONG), 0)
    process.stderr.close()


def standing(d, *args):
    m = d.create(GUEST, *args)
    d.pmuctl("machine", "start", m, "--paused")
    return m


def finish(d, m):
    """Run it to its end; its trace."""
    d.pmuctl("machine", "resume", m)
    d.pmuctl("machine", "wait", m)
    path = WORK / "saved.trace"
    d.pmuctl("trace", "save", "-m", m, path)
    return path.read_bytes()


def test_a_machine_is_sampled_as_its_run_is():
    args = ["-e", "cycles:s,branches", "-c", PERIOD, "-g", "--registers"]
    whole = samples(record("run.trace", *args))
    with daemon() as d:
        plain = finish(d, standing(d))
        m = standing(d)
        path = WORK / "attached.trace"
        with sampled(d, m, path, *args) as process:
            same(process.begins, 0)
            same(finish(d, m), plain, "the machine's own trace")
            same(process.wait(timeout=bench.LONG), 0)
        same(samples(path), whole)
    holds(len(whole) > 600, len(whole))
    done = pmuctl("trace", "summary", path)
    same(done.err, b"", "it is as whole as it is to be")
    done = pmuctl("run", "--replay", path, GUESTS[GUEST], code=2)
    holds("not its inputs" in done.err.decode(), done)


def test_who_comes_and_goes_leaves_nothing():
    args = ["-e", "instructions", "-c", 100]
    with daemon() as d:
        plain = finish(d, standing(d))
        m = standing(d)
        d.pmuctl("machine", "until", m, "--insn", 1050)
        path = WORK / "midway.trace"
        with sampled(d, m, path, *args):
            d.pmuctl("machine", "until", m, "--insn", 20099)
        with sampled(d, m, WORK / "killed.trace", *args) as killed:
            d.pmuctl("machine", "until", m, "--insn", 30000)
            killed.kill()
            killed.wait()
            killed.returncode = 0
        same(finish(d, m), plain, "the machine's own trace")
    same([int(r["insn"]) for r in samples(path)],
         list(range(1150, 20100, 100)))


def test_a_machine_is_sampled_for_a_time():
    with daemon() as d:
        m = standing(d)
        d.pmuctl("machine", "until", m, "--cycle", 10000)
        path = WORK / "time.trace"
        with sampled(d, m, path, "-e", "cycles", "-c", 500, "--time",
                     "100us") as process:
            d.pmuctl("machine", "resume", m)
            same(process.wait(timeout=bench.LONG), 0)
        begin = process.begins
        found = samples(path)
        same(sum(int(r["sample"]["periods"]) for r in found), 200)
        holds(all(begin < int(r["cycle"]) <= begin + 100000 for r in found))
        other = WORK / "cycles.trace"
        m = standing(d)
        with sampled(d, m, other, "-e", "cycles", "-c", 500, "--time",
                     "30000c") as process:
            d.pmuctl("machine", "until", m, "--cycle", 200000)
            same(process.wait(timeout=bench.LONG), 0)
        same(sum(int(r["sample"]["periods"]) for r in samples(other)), 60)


def test_samplers_of_several_do_not_meet():
    ten = ",".join(["cycles"] * 10)
    with daemon() as d:
        m = standing(d)
        with sampled(d, m, WORK / "one.trace", "-e", ten, "-c", 5000):
            done = d.pmuctl("record", "-m", m, "-e", ten, "-c", 100, "-o",
                            WORK / "no.trace", code=(1, 2))
            holds("room for 6" in done.err.decode(), done)
            with sampled(d, m, WORK / "two.trace", "-e", "branches", "-c",
                         100):
                d.pmuctl("machine", "until", m, "--cycle", 100000)
            with sampled(d, m, WORK / "three.trace", "-e", ten.replace(
                    "cycles,", "", 4), "-c", 1000):
                d.pmuctl("machine", "until", m, "--cycle", 200000)
        with sampled(d, m, WORK / "four.trace", "-e", ten, "-c", 5000):
            pass
        same([r for r in records(WORK / "four.trace")], [])
        found = {n: samples(WORK / f"{n}.trace")
                 for n in ("one", "two", "three")}
        same({r["sample"]["event"] for r in found["two"]}, {"branches"})
        same({(r["sample"]["event"], r["sample"]["period"])
              for r in found["three"]}, {("cycles", "1000")})
        same({r["sample"].get("sampler", 0) for r in found["three"]},
             set(range(6)))
        periods = sum(int(r["sample"]["periods"]) for r in found["one"])
        holds(10 * 40 <= periods <= 10 * 41, periods)


def test_a_machine_that_cannot_be_sampled_says_why():
    with daemon() as d:
        m = standing(d)
        for args, message in (
                (["-e", "L1-dcache-load-misses", "-c", 1], "uarch"),
                (["-e", "cycles", "-c", 1, "--time", "5"], "not a time"),
                (["-e", "cycles"], "--period")):
            done = d.pmuctl("record", "-m", m, *args, "-o", WORK / "no.trace",
                            code=(1, 2))
            holds(message in done.err.decode(), done)
        d.pmuctl("record", "-m", "none", "-e", "cycles", "-c", 1, code=4)
    done = pmuctl("record", "-e", "cycles", "-c", 1, "--time", "1ms", "--",
                  "run", GUESTS[GUEST], code=2)
    holds("--max-cycles" in done.err.decode(), done)


def test_a_machine_that_does_not_run_is_said_to():
    stands = " does not run now: samples come once it does\n"
    args = ["-e", "cycles", "-c", PERIOD, "-o", WORK / "ended.trace"]
    with daemon() as d:
        for m in (d.create(GUEST), standing(d)):
            with sampled(d, m, WORK / "stands.trace", "-e", "cycles", "-c",
                         1) as process:
                same(process.stderr.readline().decode(),
                     f"pmuctl: {m}{stands}")
        finish(d, m)
        stat = d.pmuctl("stat", "-m", m, "-I", "1ms", code=1)
        holds("the machine has ended" in stat.err.decode(), stat)
        for command in (["record", *args], ["top"]):
            done = d.pmuctl(*command, "-m", m, code=stat.code)
            same(done.err.decode().splitlines()[0],
                 f"pmuctl: {m}: the machine has ended", done)
            same(done.out, b"")


def test_models_that_come_late_are_said_to_be_cold():
    with daemon() as d:
        for event, said in (("L1-dcache-load-misses", "are cold there"),
                            ("loads", "does not run now")):
            m = standing(d, "--set", "uarch=tiny")
            d.pmuctl("machine", "until", m, "--cycle", 1000)
            with sampled(d, m, WORK / "cold.trace", "-e", event, "-c",
                         1) as process:
                line = process.stderr.readline().decode()
                holds(said in line, line)


def test_a_filter_drops_samples_and_moves_none():
    args = ["-e", "cycles,branches", "-c", PERIOD, "--symbols", GUESTS[GUEST]]
    whole = record("whole.trace", *args)
    kept = record("kept.trace", *args, "--filter",
                  "function == sieve && event != branches")
    names = {r["cycle"]: r["function"] for r in
             records(whole, "--symbols", GUESTS[GUEST]) if "sample" in r}
    want = [r for r in records(whole) if "sample" not in r or
            (names[r["cycle"]] == "sieve" and
             r["sample"]["event"] == "cycles")]
    same(records(kept), want)
    holds(100 < len(samples(kept)) < len(samples(whole)))
    rows = [pmuctl("-j", "report", "--symbols", GUESTS[GUEST], path,
                   *more).json()["functions"] for path, more in
            ((kept, []), (whole, ["--filter",
                                  "function == sieve && event == cycles"]))]
    same(rows[0], rows[1])
    same([r["percent"] for r in rows[0]], [100.0])
    with daemon() as d:
        m = standing(d)
        path = WORK / "filtered.trace"
        with sampled(d, m, path, *args, "--filter",
                     "function == sieve && event != branches") as process:
            finish(d, m)
            same(process.wait(timeout=bench.LONG), 0)
        same(samples(path), samples(kept))
    for text, message in (("function == x", "--symbols"),
                          ("hart = 1", "at '= 1' of 'hart = 1'")):
        for command in (["record", "-e", "cycles", "-c", 1, "--filter", text,
                         "--", "run", GUESTS[GUEST]],
                        ["report", "--filter", text, whole]):
            done = pmuctl(*command, code=2)
            holds(message in done.err.decode(), done)


def test_where_there_is_nothing_it_is_said():
    none, some = WORK / "nothing.trace", record("some.trace", "-e", "cycles",
                                                "-c", "10k")
    pmuctl("run", "--trace", none, GUESTS[GUEST])
    names = ["--symbols", GUESTS[GUEST]]
    for command in (["report"], ["annotate", *names], ["script"],
                    ["-j", "report"]):
        done = pmuctl(*command, none)
        same(done.err.decode(), f"pmuctl: {none} has no samples\n", done)
        same(pmuctl(*command, some).err, b"")
    n = len(samples(some))
    for command in (["report"], ["annotate", *names]):
        done = pmuctl(*command, "--filter", "hart == 5", some)
        holds(f"--filter: it holds for none of the {n} samples of {some}" in
              done.err.decode(), done)
    done = pmuctl("script", "--first-cycle", "1G", some)
    holds(f"{some} has no such samples" in done.err.decode(), done)
    with daemon() as d:
        done = d.pmuctl("script", "-m", standing(d))
        holds("m1 has no samples" in done.err.decode(), done)
    done = pmuctl("annotate", *names, "--function", "sieve", "--function",
                  "nosuch", some, code=4)
    holds("no sample is in 'nosuch'" in done.err.decode(), done)
    holds("'sieve'" not in done.err.decode(), done)
    holds("cycles: sieve, " in done.text(), done)


def test_what_cannot_be_sampled_is_named():
    for args, message in (
            (["-e", "cycles"], "--period"), (["-c", "100"], "--event"),
            (["-e", "cycles", "-c", "0"], "--period"),
            (["-e", "fw_set_timer", "-c", "1"], "cannot be sampled"),
            (["-e", ",".join(["cycles"] * 17), "-c", "1"], "at most 16 events"),
            (["-e", "cycles", "-c", "99999999999999999999"],
             "--period: '99999999999999999999' is too large"),
            (["-e", "cylces", "-c", "1"], "did you mean 'cycles'?")):
        done = pmuctl("record", *args, "-o", WORK / "no.trace", "--", "run",
                      GUESTS[GUEST], code=2)
        holds(message in done.err.decode(), done)
    pmuctl("record", "-e", "cycles", "-c", "1", code=2)
    pmuctl("report", WORK / "none.trace", code=(1, 2, 4))


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
