#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""perf on two harts at once, beside what the machine counts for itself.

The trace says when each counter began and ended to count. The same run once more,
held at each of these cycles, says what every hart had done until then; what perf
prints is the sum of the differences, to the instruction.
"""
import collections
import functools
import re
import sys

import linux
from linux import boot, holds, payload, same
from outside import Held, stretches

HARTS = 2
PERIOD = 50021
# Where the scheduler would put them is a matter of its version.
BOTH = ("sh -c 'taskset 1 pmutest loop 1000000 & "
        "taskset 2 pmutest branch 700000; wait'")
SCRIPT = f"""
exec 2>&1
echo == cpus
perf stat -x, -a -A -e instructions:u,instructions:k pmutest loop 100000
echo == tree
perf stat -x, -e branches:u,branches:k {BOTH}
echo == record
perf record -q -a -o /tmp/a -e instructions:u -c {PERIOD} {BOTH}
perf script -i /tmp/a -F cpu,ip
echo == stats
perf report -i /tmp/a --stats
"""


@functools.lru_cache(maxsize=None)
def run(time=1):
    """The @time says which repetition it is."""
    del time
    return boot(SCRIPT, what="slim", harts=HARTS)


@functools.lru_cache(maxsize=None)
def counted():
    """The stretches of counters that count in one mode only."""
    return [s for s in stretches(run()) if len(s.privileges) == 1]


@functools.lru_cache(maxsize=None)
def held():
    return Held(counted(), SCRIPT, "slim", HARTS)


def done_in(stretch):
    return held().done_in(stretch)


def samples():
    """The stretches that ended with a sample, or with the event."""
    return [s for s in counted() if s.initial == (1 << 64) - PERIOD]


def test_the_run_again_is_the_same_to_the_byte():
    linux.alike(run(1), run(2))
    same(linux.digest(run(1).trace), linux.digest(run(2).trace))


def test_a_run_that_is_held_is_where_the_trace_was():
    for record in run().calls:
        at = held().done.get(record["cycle"])
        if at:
            same(sum(n for (hart, event, _), n in at.items()
                     if (hart, event) == (record["hart"], "instructions")),
                 record["insn"])


def test_each_cpu_counts_what_its_hart_did():
    rows = re.findall(r"^CPU(\d),(\d+),,instructions:([uk]),",
                      run().section("cpus"), re.M)
    same(len(rows), 2 * HARTS, run().section("cpus"))
    sums = collections.Counter()
    for one in counted():
        if one.event == "instructions" and one not in samples():
            sums[one.hart, *one.privileges] += done_in(one)
    same({(int(cpu), {"u": "PRIVILEGE_U", "k": "PRIVILEGE_S"}[mode]): int(n)
          for cpu, n, mode in rows}, dict(sums))


def test_processes_on_both_harts_count_what_they_did():
    sums, harts = collections.Counter(), set()
    for one in counted():
        if one.event == "branches":
            sums[one.privileges] += done_in(one)
            harts.add(one.hart)
    same(harts, set(range(HARTS)))
    same(dict(linux.counts(run().section("tree"))),
         {"branches:u": sums[("PRIVILEGE_U",)],
          "branches:k": sums[("PRIVILEGE_S",)]})


def test_no_sample_of_either_hart_is_lost():
    inside = re.findall(r"^ *\[00(\d)\] +([0-9a-f]+)",
                        run().section("record"), re.M)
    for hart in range(HARTS):
        whole = [done_in(s) for s in samples() if s.hart == hart]
        rest = whole.pop()
        same(whole, [PERIOD] * len(whole))
        holds(0 <= rest < PERIOD, rest)
        holds(len(whole) > 10, whole)
        same([int(pc, 16) for cpu, pc in inside if int(cpu) == hart],
             [i["pc"] for i, _ in linux.kept(run()) if i["hart"] == hart])
        same(sum(int(cpu) == hart for cpu, _ in inside), len(whole))
    text = run().section("stats")
    same(re.findall(r"^ +SAMPLE events: +(\d+)", text, re.M)[0],
         str(len(inside)))
    holds("LOST" not in text and "THROTTLE" not in text, text)


if __name__ == "__main__":
    payload("slim")
    sys.exit(linux.bench.main(globals()))
