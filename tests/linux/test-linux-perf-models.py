#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""perf in Linux on a hart with caches, TLBs and predictors, in one short boot.

test-linux-models.py has what takes long: each number beside a second instance of
the models. Here numbers are those of work that is known.
"""
import collections
import functools
import re
import sys

import linux
from linux import ASKED, PERIOD, ROUND, boot, holds, payload, same

CORE = ["--set", "uarch=small"]  # no prefetcher, and timing=fixed
NO_PART = ["L1-dcache-prefetches", "L1-dcache-prefetch-misses"]
# a clock that has no rate; stalls, where each instruction takes one cycle
OTHERS = ["ref-cycles", "stalled-cycles-frontend", "stalled-cycles-backend"]
# by how much each grows with a round, to some tens of interrupts' lines
GROWN = {"L1-dcache-loads": ROUND, "L1-dcache-load-misses": ROUND,
         "LLC-load-misses": ROUND, "cache-misses": ROUND,
         "dTLB-load-misses": ROUND * 64 // 4096}
SLACK = 100
STAT = f"perf stat -x, -e {','.join(e + ':u' for e in GROWN)} pmutest miss"
# A loop of one line of code, whose branch is always taken but once: all hits.
HITS = ["branches", "branch-misses", "L1-icache-load-misses",
        "iTLB-load-misses", "L1-dcache-load-misses"]
LOOP = f"perf stat -x, -e {','.join(e + ':u' for e in HITS)} pmutest loop"
ROUNDS = 10000
SCRIPT = f"""
exec 2>&1
echo == users
perf stat -x, -d -d -d --all-user pmutest miss 1
perf stat -x, -e {','.join(e + ':u' for e in OTHERS)} true
echo == known
{STAT} 1
{STAT} 3
echo == hits
{LOOP} {ROUNDS}
{LOOP} {3 * ROUNDS}
echo == record
perf record -q -o /tmp/m -e cache-misses:u -c {PERIOD} pmutest miss 4
perf script -i /tmp/m -F ip,sym
"""


@functools.lru_cache(maxsize=None)
def run():
    return boot(SCRIPT, what="slim", options=CORE)


def rows(section):
    """Return (event, number or what stands there) of hardware's events."""
    found = ((e.split(":")[0], n)
             for e, n in linux.counts(run().section(section)))
    return [(e, n) for e, n in found if e in {*ASKED, *OTHERS, *GROWN}]


def test_perf_has_a_number_for_each_event_that_the_core_has():
    found = rows("users")
    same([e for e, _ in found], ASKED + OTHERS, run().section("users"))
    same([e for e, n in found if n == "<not supported>"], NO_PART + OTHERS)
    holds(all(isinstance(n, int) and n > 0 for e, n in found
              if e not in NO_PART + OTHERS), found)


def test_what_the_work_is_known_to_miss_is_what_it_misses():
    found = rows("known")
    same([e for e, _ in found], [*GROWN] * 2, run().section("known"))
    grown = {e: more - less for (e, less), (_, more) in
             zip(found[:len(GROWN)], found[len(GROWN):])}
    same(grown["L1-dcache-loads"], 2 * ROUND)
    for event, n in GROWN.items():
        holds(abs(grown[event] - 2 * n) < SLACK, (event, grown))


def test_what_hits_is_no_miss():
    found = [(e.split(":")[0], n)
             for e, n in linux.counts(run().section("hits"))]
    same([e for e, _ in found], HITS * 2, run().section("hits"))
    grown = {e: more - less for (e, less), (_, more) in
             zip(found[:len(HITS)], found[len(HITS):])}
    same(grown.pop("branches"), 2 * ROUNDS)
    # by what interrupts leave behind, either way
    holds(max(map(abs, grown.values())) < SLACK, grown)


def test_a_record_of_misses_finds_the_function_that_misses():
    found = re.findall(r"^ *([0-9a-f]+) (\S+)$", run().section("record"), re.M)
    names = collections.Counter(name for _, name in found)
    holds(len(found) >= 4 * ROUND // PERIOD, names)
    holds(names["w_walk"] >= len(found) - 1, names)
    same([int(pc, 16) for pc, _ in found],
         [i["pc"] for i, _ in linux.kept(run())])


if __name__ == "__main__":
    payload("slim")
    sys.exit(linux.bench.main(globals()))
