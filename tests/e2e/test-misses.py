#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl stat --explain-misses: why caches and TLBs of a real guest missed."""
import collections
import json
import pathlib
import re
import sys

import bench
from bench import GUESTS, ISAS, SOURCE, WORK, daemon, holds, pmuctl, same

EVENT = "L1-dcache-load-misses"
CORE = ("--set", "l1d=1024:64:2")
FILE = pathlib.Path(SOURCE, "tests/guests/reasons.S")


def expected():
    """(line of the source, reason) of all that says so, in its order."""
    return [(n, found[1]) for n, line in enumerate(
        FILE.read_text(encoding="utf-8").splitlines(), 1)
        if (found := re.search(r"/\* MISS: (\w+) \*/", line))]


def explained(text):
    """The objects of explanations in what stat printed with --json."""
    found = [json.loads(line) for line in text.decode().splitlines()]
    return [f for f in found if "sums" in f or "misses" in f]


def explain(guest, *args, event=EVENT):
    done = pmuctl("-j", "stat", "-e", event, "--explain-misses", 1024, "--",
                  "run", "--mode", "m", *args, GUESTS[guest])
    one, = explained(done.err)
    same(one["event"], event)
    return one


def reason(miss):
    return miss["reason"].removeprefix("MISS_REASON_").lower()


def sums(one):
    count = collections.Counter()
    for s in one["sums"]:
        count[reason(s)] += int(s["count"])
    return count


def test_each_reason_is_told_at_its_line():
    for isa in ISAS:
        misses = explain(f"reasons-{isa}", *CORE)["misses"]
        last = {}
        for miss in misses:
            same(pathlib.Path(miss["place"]["file"]).name, FILE.name)
            last[miss["place"]["line"]] = reason(miss)
        for line, want in expected():
            same(last[line], want, f"{isa}: line {line}")
        same(len(expected()), 4)


def test_reasons_add_up_to_the_count():
    # a cold one; three lines of one set, cold and in conflict; twice 32 lines;
    # and two behind a store
    same(sums(explain("reasons-rv64", *CORE)),
         {"cold": 1 + 3 + 32 + 2, "conflict": 6, "capacity": 32})
    # with room for all of them, and all ways of one set, there is no other
    same(sums(explain("reasons-rv64", "--set", "l1d=16KiB:64:1")),
         {"cold": 38})
    same(sums(explain("reasons-rv64", "--set", "l1d=1024:64:16")),
         {"cold": 38, "capacity": 32})


def test_a_miss_says_where_and_what_it_replaced():
    misses = explain("reasons-rv64", *CORE)["misses"]
    first, last = misses[0], misses[-1]
    base = int(first["line"])
    same(base % 64, 0)
    same((first["victim"], first["set"], first["part"], first["access"]),
         ("MISS_VICTIM_EMPTY", base // 64 % 8, "CORE_PART_L1D",
          "MISS_ACCESS_LOAD"))
    same(int(last["line"]), base + 12288 + 2 * 512)
    same((last["victim"], int(last["victimLine"])),
         ("MISS_VICTIM_DIRTY", base + 12288))
    holds(all(int(m["virtualAddress"]) == int(m["physicalAddress"])
              for m in misses))
    holds([int(m["cycle"]) for m in misses] ==
          sorted(int(m["cycle"]) for m in misses))


def test_pages_have_reasons_and_fences_too():
    one = explain("models-paging-rv64", "--set", "uarch=small",
                  event="dTLB-load-misses")
    holds(sums(one)["fence"] > 0 and sums(one)["cold"] > 0, one["sums"])
    for miss in one["misses"]:
        same(int(miss["line"]) % 4096, 0)
        same(miss["part"], "CORE_PART_STLB")


def test_as_many_as_can_be_kept_are_told():
    one = explain("misses-rv64", "--set", "l1i=16:16:1",
                  event="L1-icache-load-misses")
    holds(sum(sums(one).values()) > 1024, one["sums"])
    same(len(one["misses"]), 1024)
    holds(all("place" in miss for miss in one["misses"]))


def test_the_table_is_the_same():
    args = ("--", "run", "--mode", "m", *CORE, GUESTS["reasons-rv64"])
    done = pmuctl("stat", "-e", EVENT, "--explain", 2, *args)
    lines = done.err.decode().splitlines()
    same(lines[1].split(), ["76", EVENT])
    same(lines[3], f"{EVENT}: 76 misses since the start, 38 cold, "
                   "32 capacity, 6 conflict; the last 2:")
    misses = explain("reasons-rv64", *CORE)["misses"][-2:]
    same(len(lines), 7, done)
    for line, miss in zip(lines[5:], misses):
        words = line.split()
        same(words[0], miss["cycle"])
        same(words[4], hex(int(miss["virtualAddress"])))
        holds(reason(miss) in words, line)
        holds(line.endswith(f"reasons.S:{miss['place']['line']}"), line)


def test_explaining_changes_nothing_of_the_run():
    for guest in ("reasons-rv64", "paging-rv32", "traps-rv64"):
        core = ("--mode", "m", "--set", "uarch=tiny", "--set",
                "timing=inorder")
        plain, counted, told = (WORK / f"{guest}-{n}.trace" for n in range(3))
        totals = "cycles,instructions,L1-dcache-load-misses"
        pmuctl("run", *core, "--trace", plain, GUESTS[guest])
        one = pmuctl("stat", "-e", totals, "--", "run", *core, "--trace",
                     counted, GUESTS[guest])
        two = pmuctl("stat", "-e", totals, "--explain-misses", 9, "--", "run",
                     *core, "--trace", told, GUESTS[guest])
        same(plain.read_bytes(), counted.read_bytes(), guest)
        same(plain.read_bytes(), told.read_bytes(), guest)
        holds(two.err.startswith(one.err), two)


def test_a_machine_that_is_there_is_asked():
    with daemon() as d:
        m = d.create("reasons-rv64", "--mode", "m", *CORE, "--set",
                     "uarch-watch=on", "--set", "uarch-explain=3")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        done = d.pmuctl("-j", "stat", "-m", m, "-e", f"{EVENT}:m", "--hart", 0,
                        "--explain-misses", 1024)
        one, = explained(done.out)
        same(len(one["misses"]), 3)
        same(sum(sums(one).values()), 76)
        same(one["misses"],
             explain("reasons-rv64", *CORE)["misses"][-3:])
        done = d.pmuctl("-j", "stat", "-m", m, "-e", f"{EVENT}:u",
                        "--explain-misses", 1)
        same(explained(done.out)[0]["misses"], [])


def test_a_machine_that_does_not_keep_them_says_so():
    with daemon() as d:
        m = d.create("reasons-rv64", "--mode", "m", *CORE, "--set",
                     "uarch-watch=on")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        done = d.pmuctl("stat", "-m", m, "-e", EVENT, "--explain-misses", 1,
                        code=1)
        holds(b"uarch-explain" in done.err, done)
        d.pmuctl("machine", "create", "--set", "uarch-explain=3", code=2)
    done = pmuctl("stat", "-e", "cycles", "--explain-misses", 1, "--", "run",
                  GUESTS["reasons-rv64"], code=2)
    holds(b"none of these events" in done.err, done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
