#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl stat --event: counts of a run and of a machine, by any division."""
import json
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same

GUEST = "overflow-rv64"


def lines(done):
    """What a run's stat printed with --json, an object for each line."""
    return [json.loads(line) for line in done.err.decode().splitlines()]


def count(*args, guest=GUEST, code=0):
    return lines(pmuctl("-j", "stat", *args, "--", "run", GUESTS[guest],
                        code=code))


def total(found, **wanted):
    return sum(int(line["count"]) for line in found
               if all(line.get(k) == v for k, v in wanted.items()))


def all_totals():
    """The same run's totals as the daemon has them: {(event, mode): count}."""
    with daemon() as d:
        m = d.create(GUEST)
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        found = d.pmuctl("-j", "stat", "-m", m).json()["totals"]
    return {(t["event"], t.get("privilege", "").removeprefix("PRIVILEGE_")):
            int(t.get("value", 0)) for t in found}


def test_counts_are_the_totals_by_every_name():
    totals = all_totals()
    cycles = sum(n for (e, _), n in totals.items() if e == "cycles")
    for name in ("cycles", "SBI_PMU_HW_CPU_CYCLES", "1", "0x1", "r1"):
        found = count("-e", name)
        same([(f["event"], int(f["count"])) for f in found],
             [("cycles", cycles)])
    found = count("-e", "instructions:s,{loads,stores}:k", "-e", "branches:mu")
    same([f["event"] for f in found],
         ["instructions:s", "loads:k", "stores:k", "branches:mu"])
    same([f.get("group") for f in found], [None, 1, 1, None])
    same([int(f["count"]) for f in found],
         [totals[e, "S"] for e in ("instructions", "loads", "stores")] +
         [totals["branches", "M"] + totals["branches", "U"]])
    holds(int(found[1]["count"]) > 0, found)
    same(total(count("-e", "fw_set_timer")), 3)
    same(total(count("-e", "cycles:vs")), 0)


def test_counts_are_the_same_in_every_mode_of_the_engine():
    asked = ("-j", "stat", "--per-mode", "-I", "10us", "-e",
             "branches,loads,stores,cycles", "--", "run")
    wanted = lines(pmuctl(*asked, GUESTS[GUEST]))
    holds(total(wanted, event="stores") > 10000, wanted[-4:])
    for way in ("engine=portable", "engine=check", "engines=2",
                "step-only=on"):
        same(lines(pmuctl(*asked, "--set", way, GUESTS[GUEST])), wanted, way)


def test_parts_make_the_whole():
    whole = count("-e", "cycles,loads:s,exceptions")
    for args in (["--per-mode"], ["--per-hart"], ["-I", "100us"],
                 ["--interval", "12345c", "--per-mode", "--per-hart"]):
        parts = count("-e", "cycles,loads:s,exceptions", *args)
        holds(len(parts) >= len(whole), parts)
        for line in whole:
            same(total(parts, event=line["event"]), int(line["count"]), args)


def test_intervals_end_at_multiples_of_guest_time():
    found = count("-e", "cycles", "-I", "100us")
    same([f["time"] for f in found[:-1]],
         [f"0.000{n}00000" for n in range(1, len(found))])
    same([int(f["count"]) for f in found[:-1]], [100000] * (len(found) - 1))
    same(found, count("-e", "cycles", "-I", "100000c"))


def test_counting_changes_nothing_of_the_run():
    plain, counted = WORK / "plain.trace", WORK / "counted.trace"
    one = pmuctl("run", "--trace", plain, GUESTS[GUEST])
    two = pmuctl("stat", "-I", "7777c", "-e", "cycles:u", "--", "run",
                 "--trace", counted, GUESTS[GUEST])
    same(two.out, one.out)
    holds(plain.read_bytes() == counted.read_bytes(), "the traces differ")


def test_a_machine_is_counted_while_it_stands():
    with daemon() as d:
        m = d.create(GUEST, "--harts", "2")
        d.pmuctl("stat", "-e", "cycles", "-m", m, code=1)
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "until", m, "--insn", "1000")
        before = int(d.show(m)["cycle"])
        done = d.pmuctl("stat", "-x,", "--hart", "0", "-e",
                        "instructions", "-m", m)
        same(done.text(), "1000,,instructions\n")
        done = d.pmuctl("stat", "-x", ";", "--per-hart", "-e",
                        "instructions:s", "-m", m)
        same(done.text(), "0;1000;;instructions:s\n1;0;;instructions:s\n")
        done = d.pmuctl("stat", "-I", "100us", "-x,", "-e", "cycles",
                        "--hart", "0", "-m", m)
        same(d.show(m)["state"], "MACHINE_STATE_ENDED")
        rows = [line.split(",") for line in done.text().splitlines()]
        same(sum(int(r[1]) for r in rows), int(d.show(m)["cycle"]) - before)
        same(d.pmuctl("stat", "-e", "cycles", "--hart", "2", "-m", m,
                      code=4).out, b"")


def test_the_first_interval_begins_where_it_is_asked():
    events = ["cycles", "loads", "L1-dcache-loads", "L1-dcache-load-misses"]
    with daemon() as d:
        m = d.create(GUEST, "--set", "uarch=small", "--set", "uarch-watch=on")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "until", m, "--cycle", "250000")
        asked = ["stat", "-m", m, "-x,", "-e", ",".join(events)]
        before = [int(line.split(",")[0])
                  for line in d.pmuctl(*asked).text().splitlines()]
        holds(all(before), before)
        rows = [line.split(",") for line in
                d.pmuctl(*asked, "-I", "100us").text().splitlines()]
        same([rows[0][0], rows[0][1]], ["0.000300000", "50000"])
        after = [int(line.split(",")[0])
                 for line in d.pmuctl(*asked).text().splitlines()]
        same([sum(int(r[1]) for r in rows if r[3] == e) for e in events],
             [a - b for a, b in zip(after, before)])


def test_events_of_models_of_a_machine_want_it_made_for_that():
    with daemon() as d:
        m = d.create(GUEST, "--set", "uarch=small")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        done = d.pmuctl("stat", "-e", "L1-dcache-loads", "-m", m, code=2)
        holds(b"uarch-watch" in done.err, done)


def test_the_exit_status_is_that_of_the_run():
    done = pmuctl("stat", "-e", "cycles", "-o", WORK / "counts", "--", "run",
                  "--mode", "m", GUESTS["fail-rv64"], code=42)
    holds(b"COUNT" not in done.err, done)
    holds("  cycles\n" in (WORK / "counts").read_text(), done)
    done = pmuctl("stat", "-I", "1us", "-e", "cycles", "--", "run", "--mode",
                  "m", "--max-cycles", "2500", GUESTS["spin-rv64"], code=124)
    same([line.split()[1] for line in done.err.decode().splitlines()
          if line.endswith("  cycles")], ["1000", "1000", "500"])


def test_all_events_there_are_are_counted_at_once():
    """And again in each mode: as many as are asked for, each as if alone."""
    with daemon() as d:
        known = d.pmuctl("-j", "list").json()["events"]
    run = ["--", "run", "--set", "uarch=large", "--set", "timing=inorder",
           "--set", "ref-hz=10M", "--set", "bus-hz=10M", GUESTS[GUEST]]

    def counts(*events):
        asked = ["-e", ",".join(events)] if events else []
        return [(f["event"], int(f["count"]))
                for f in lines(pmuctl("-j", "stat", *asked, *run))]

    firmware = [e["name"] for e in known if e["kind"].endswith("FIRMWARE")]
    want = counts() + counts(*firmware)
    names = [name for name, _ in want]
    same(sorted(names), sorted(e["name"] for e in known))
    holds(len(names) > 64, names)
    same(counts(*names), want)
    by_mode = [f"{name}:{mode}" for mode in "msu" for name in names
               if name not in firmware]
    found = dict(counts(*names, *by_mode))
    same(len(found), len(names) + len(by_mode))
    same([sum(found[f"{name}:{mode}"] for mode in "msu") for name in names
          if name not in firmware],
         [n for name, n in want if name not in firmware])


def test_what_cannot_be_counted_is_named():
    for events, message in (
            ("cylces", "did you mean 'cycles'?"),
            ("sbi_pmu_hw_cpu_cycle", "did you mean 'SBI_PMU_HW_CPU_CYCLES'?"),
            ("0xb", "'0xb' is no event"), ("r77", "'r77' is no event"),
            ("", "'' is no event"), ("cycles,", "'' is no event"),
            ("cycles:", "chooses no mode"), ("cycles:x", "'x' is no mode"),
            ("cycles:mv", "':mv' chooses no mode"),
            ("{cycles", "has no '}'"), ("{cycles}x", "must be parted by ','"),
            ("fw_set_timer:u", "has no modes"),
            ("x" * 90, "longer than 71 bytes")):
        done = pmuctl("stat", "-e", events, "--", "run", GUESTS[GUEST], code=2)
        holds(message in done.err.decode(), done)
        same(done.out, b"")
    for args, message in ((["-e", "cycles"], "needs either"),
                          (["--", "stat"], "behind --"),
                          (["-I", "1x", "--", "run", GUESTS[GUEST]], "'1x'"),
                          (["-I", "0s", "--", "run", GUESTS[GUEST]], "'0s'"),
                          (["--", "run", "--detach", GUESTS[GUEST]],
                           "--detach")):
        done = pmuctl("stat", *args, code=2)
        holds(message in done.err.decode(), done)


def test_models_count_where_there_are_some():
    models = ["--mode", "m", "--set", "uarch=small", "--set", "l1d=1KiB:64:2"]
    names = ["L1-dcache-loads", "0x10001", "L1-dcache-stores:m"]
    done = pmuctl("-j", "stat", "-e", ",".join(names), "--", "run", *models,
                  GUESTS["models-rv64"])
    same([int(found["count"]) for found in lines(done)], [45, 25, 8])
    everything = lines(pmuctl("-j", "stat", "--", "run", *models,
                              GUESTS["models-rv64"]))
    holds("dTLB-loads" in [found["event"] for found in everything], everything)
    # never 0 where there is none
    nothing = lines(pmuctl("-j", "stat", "--", "run", "--mode", "m",
                           GUESTS["loop-rv64"]))
    holds("dTLB-loads" not in [found["event"] for found in nothing], nothing)
    for args, code, message in (
            (["-e", "cache-misses", "--", "run"], 2,
             "(settings uarch, uarch-watch)"),
            (["-e", "ref-cycles", "--", "run"], 2, "(settings ref-hz)"),
            (["-e", "stalled-cycles-frontend", "--", "run"], 2,
             "(settings timing=inorder)"),
            (["-e", "cache-misses", "--", "run", "--set", "uarch=tiny"], 2,
             "(settings uarch, uarch-watch)"),
            (["-e", "cycles", "--hart", "7", "--", "run"], 4, "no hart 7"),
            (["-e", "cycles", "--", "run", "--set", "l1d=1:2"], 2,
             "SIZE:LINE:WAYS")):
        done = pmuctl("stat", *args, "--mode", "m", GUESTS["loop-rv64"],
                      code=code)
        holds(message in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
