#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl record --exact: every event at its instruction, up to callgrind."""
import collections
import json
import pathlib
import re
import subprocess
import sys

import bench
from bench import GUESTS, SOURCE, WORK, holds, isa_options, pmuctl, same

GUEST = "overflow-rv64"
MODES = pathlib.Path(SOURCE, "tests/guests/modes.S")


def record(name, *args, guest=GUEST, run=(), code=0):
    path = WORK / name
    done = pmuctl("record", "--exact", *args, "-o", path, "--", "run", *run,
                  GUESTS[guest], code=code)
    return path, done


def records(path, *args):
    done = pmuctl("-j", "trace", "show", path, *args)
    return [json.loads(line) for line in done.text().splitlines()]


def sums(path):
    found = collections.Counter()
    for r in records(path, "-k", "sample"):
        holds(r["sample"]["summed"], r)
        found[r["sample"]["event"]] += int(r["sample"]["periods"])
    return found


def known_lines():
    """Line: instructions and exceptions, by how the guest is written."""
    lines = MODES.read_text().splitlines()
    known = {}
    turns = [i for i, l in enumerate(lines) if l.startswith("1:\taddi\tt0")]
    for i, inside in zip(turns, (7, 50, 300), strict=True):
        known[i + 1] = (100 * inside, 0)  # and the branch behind it
        known[i + 2] = (100 * inside, 0)
    for i, line in enumerate(lines, 1):
        if line in ("\tmret", "\tsret"):
            known[i] = (100, 0)
        elif line == "\tecall":
            known[i] = (0, 100)
        elif re.match(r"\tla\tt1", line):
            known[i] = (200, 0)
    return known


def annotated(path, build):
    """The costs of each line of modes.S as callgrind_annotate reads them."""
    text = subprocess.run(
        ["callgrind_annotate", "--threshold=100", "--show-percs=no",
         "--auto=yes", "--context=200", path], cwd=build, check=True,
        capture_output=True, timeout=bench.LONG).stdout.decode()
    totals = re.search(r"^(.*) +PROGRAM TOTALS$", text, re.M)[1].split()
    source = text.partition("Auto-annotated source")[2]
    rows = re.findall(r"^ *([\d,.]+) +([\d,.]+)  (.*)$", source, re.M)
    return ([number(t) for t in totals],
            [(number(a), number(b), line) for a, b, line in rows])


def number(text):
    return int(text.replace(",", "").replace(".", "0"))


def test_lines_of_known_loops_are_counted_exactly():
    known = known_lines()
    same(len(known), 6 + 2 + 2 + 2)
    text = MODES.read_text().splitlines()
    for isa in bench.ISAS:
        guest = f"modes-{isa}"
        trace, _ = record(f"{guest}.trace", "-e", "instructions,exceptions",
                          guest=guest,
                          run=isa_options(isa, "--mode", "m"))
        out = WORK / f"{guest}.callgrind"
        pmuctl("trace", "export", "--format", "callgrind", "-o", out,
               "--symbols", GUESTS[guest], trace)
        totals, rows = annotated(
            out, pathlib.Path(bench.PMUCTL).parents[1])
        same(totals, [sums(trace)["instructions"],
                      sums(trace)["exceptions"]])
        want = [(*known[i], text[i - 1].expandtabs(8)) for i in sorted(known)]
        rows = [(a, b, line.expandtabs(8)) for a, b, line in rows]
        for row in want:
            holds(row in rows, (row, rows))
            rows.remove(row)


def test_sums_alone_are_costs():
    """The guest's own counters overflow meanwhile, of the same events, too."""
    path, _ = record("alone.trace", "-e", "instructions,cycles")
    own = {r["overflow"]["event"] for r in records(path, "-k", "overflow")}
    holds("cycles" in own, own)
    text = pmuctl("trace", "export", "--format", "callgrind", path).text()
    same(re.findall("^(?:# costs|events:|summary:).*", text, re.M),
         ["# costs are all that happened", "events: instructions cycles",
          "summary: {instructions} {cycles}".format(**sums(path))])
    totals = [0, 0]
    for costs in re.findall(r"^0x\w+ 0 (.*)$", text, re.M):
        for i, cost in enumerate(costs.split()):
            totals[i] += int(cost)
    same(totals, [sums(path)[e] for e in ("instructions", "cycles")])
    text = pmuctl("trace", "export", "--format", "callgrind", "-k",
                  "overflow", path).text()
    holds("# costs are samples" in text, text[:300])


def test_the_sums_are_the_totals():
    events = "cycles,instructions,branches,loads,stores,exceptions,interrupts"
    path, _ = record("all.trace", "-e", events)
    done = pmuctl("-j", "stat", "-e", events, "--", "run", GUESTS[GUEST])
    want = {line["event"]: int(line["count"]) for line in
            map(json.loads, done.err.decode().splitlines())}
    same(dict(sums(path)), want)
    places = [(r["sample"]["event"], r["privilege"], r["pc"])
              for r in records(path, "-k", "sample")]
    same(len(places), len(set(places)))


def test_a_wait_is_one_sum():
    """Not one stop for each of its cycles, which would take an hour."""
    cycles = 10 ** 9
    run = ["--mode", "m", "--max-cycles", str(cycles)]
    path, _ = record("wait.trace", "-e", "cycles", guest="nap-rv64", run=run,
                     code=124)
    same(sums(path), {"cycles": cycles})


def test_misses_of_a_model_are_counted_where_they_are():
    event = "L1-dcache-load-misses"
    run = ["--set", "uarch=small"]
    path, _ = record("misses.trace", "-e", event, run=run)
    done = pmuctl("-j", "stat", "-e", event, "--", "run", *run, GUESTS[GUEST])
    same(sums(path)[event], int(json.loads(done.err)["count"]))


def test_harts_are_told_apart():
    run = ["--mode", "m", "--harts", "4", "--max-cycles", "20000", "--set",
           "quantum=500"]
    path, _ = record("smp.trace", "-e", "instructions", guest="smp-rv64",
                     run=run, code=124)
    found = collections.Counter()
    for r in records(path, "-k", "sample"):
        found[r["hart"]] += int(r["sample"]["periods"])
    done = pmuctl("-j", "stat", "--per-hart", "-e", "instructions", "--",
                  "run", *run, GUESTS["smp-rv64"], code=124)
    same(dict(found), {r["hart"]: int(r["count"]) for r in
                       map(json.loads, re.findall(r"^\{.*", done.err.decode(),
                                                  re.M))})
    same(len(found), 4)


def test_more_than_are_kept_come_in_parts():
    n, kept = 70000, 65536
    end = [0x001002b7, 0x00005337, 0x55530313, 0x0062a023]  # as guests pass
    words = [0x0040006f] * n + end  # j .+4, a block of its own each
    flat, path = WORK / "long.flat", WORK / "long.trace"
    flat.write_bytes(b"".join(w.to_bytes(4, "little") for w in words))
    pmuctl("record", "--exact", "-e", "instructions", "-o", path, "--", "run",
           "--mode", "m", "--flat", "0x80200000", flat)
    found = records(path, "-k", "sample")
    same([int(r["pc"]) for r in found],
         [0x80200000 + 4 * i for i in range(len(words))])
    same({r["sample"]["periods"] for r in found}, {"1"})
    same([int(r["insn"]) for r in found],
         [kept + 1] * kept + [len(words)] * (len(words) - kept))


def test_counting_changes_nothing_of_the_run():
    plain = WORK / "plain.trace"
    one = pmuctl("run", "--trace", plain, "--record", "none", GUESTS[GUEST])
    path, two = record("counted.trace", "-e", "loads")
    same(two.out, one.out)
    same([r for r in records(path) if "sample" not in r], records(plain))
    again, _ = record("again.trace", "-e", "loads",
                      run=["--set", "engines=2"])
    same(again.read_bytes(), path.read_bytes())


def test_what_does_not_go_together_is_told():
    for args, message in (
            ([], "--exact needs --event"),
            (["-e", "cycles", "-c", "100"], "without --period"),
            (["-e", "cycles", "-g"], "--call-graph"),
            (["-e", "cycles", "--registers"], "--registers")):
        done = pmuctl("record", "--exact", *args, "-o", WORK / "no.trace",
                      "--", "run", GUESTS[GUEST], code=2)
        holds(message in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
