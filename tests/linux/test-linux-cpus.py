#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""perf on two harts at once, beside what the machine counts for itself.

The trace says when each counter began and ended to count. The same run once more,
held at each of these cycles, says what every hart had done until then; what perf
prints is the sum of the differences, to the instruction.
"""
import collections
import dataclasses
import functools
import re
import sys

import linux
from linux import CONFIG_MATCHING, START, STOP, boot, holds, payload, same

HARTS = 2
INSTRUCTIONS, BRANCHES = 2, 5  # the SBI's numbers
NAMES = {INSTRUCTIONS: "instructions", BRANCHES: "branches"}
UINH, SINH = 1 << 5, 1 << 6  # flags of CONFIG_MATCHING
PRIVILEGES = {UINH: "PRIVILEGE_S", SINH: "PRIVILEGE_U"}
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


@dataclasses.dataclass
class Stretch:
    """A counter's way from a start to a stop, by cycles of the machine."""
    hart: int
    event: int
    privilege: str
    begin: int
    initial: int  # what it was started at
    end: int = 0


def bits(base, mask):
    return [base + n for n in range(64) if mask >> n & 1]


def stretches(run):
    """Yield those of the counters that count in one mode only."""
    chosen, running = {}, {}
    for record in run.calls:
        call, hart = record["sbiCall"], record["hart"]
        fid, args = int(call["fid"]), [int(a) for a in call["args"]]
        if fid == CONFIG_MATCHING and not int(call["error"]):
            chosen[hart, int(call["value"])] = args[3], args[2] & (UINH | SINH)
        for counter in bits(*args[:2]) if fid in (START, STOP) else ():
            event, filtered = chosen.get((hart, counter), (0, 0))
            if event not in NAMES or filtered not in PRIVILEGES:
                continue
            if fid == START and not int(call["error"]):
                running[hart, counter] = Stretch(
                    hart, event, PRIVILEGES[filtered], record["cycle"],
                    args[3])
            elif (hart, counter) in running and fid == STOP:
                ended = running.pop((hart, counter))
                ended.end = record["cycle"]
                yield ended
    same(running, {})


@functools.lru_cache(maxsize=None)
def run(time=1):
    """The @time says which repetition it is."""
    del time
    return boot(SCRIPT, what="slim", harts=HARTS)


@functools.lru_cache(maxsize=None)
def counted():
    """The stretches of the run."""
    return list(stretches(run()))


def totals(d, m):
    """What each hart has counted, by (hart, event, privilege)."""
    found = d.pmuctl("-j", "stat", "-m", m).json()["totals"]
    return {(t["hart"], t["event"], t["privilege"]): int(t["value"])
            for t in found}


@functools.lru_cache(maxsize=None)
def done_until():
    """What the harts have done at each end of a stretch, by cycle."""
    found = {}
    with linux.held(SCRIPT, "slim", HARTS) as (d, m):
        for cycle in sorted({c for s in counted() for c in (s.begin, s.end)}):
            d.pmuctl("machine", "until", m, "--cycle", cycle)
            d.pmuctl("machine", "wait", m)
            found[cycle] = totals(d, m)
    return found


def done_in(stretch):
    key = stretch.hart, NAMES[stretch.event], stretch.privilege
    return done_until()[stretch.end][key] - done_until()[stretch.begin][key]


def samples():
    """The stretches that ended with a sample, or with the event."""
    return [s for s in counted() if s.initial == (1 << 64) - PERIOD]


def test_the_run_again_is_the_same_to_the_byte():
    linux.alike(run(1), run(2))
    same(linux.digest(run(1).trace), linux.digest(run(2).trace))


def test_a_run_that_is_held_is_where_the_trace_was():
    for record in run().calls:
        at = done_until().get(record["cycle"])
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
        if one.event == INSTRUCTIONS and one not in samples():
            sums[one.hart, one.privilege] += done_in(one)
    same({(int(cpu), {"u": "PRIVILEGE_U", "k": "PRIVILEGE_S"}[mode]): int(n)
          for cpu, n, mode in rows}, dict(sums))


def test_processes_on_both_harts_count_what_they_did():
    sums, harts = collections.Counter(), set()
    for one in counted():
        if one.event == BRANCHES:
            sums[one.privilege] += done_in(one)
            harts.add(one.hart)
    same(harts, set(range(HARTS)))
    same(dict(linux.counts(run().section("tree"))),
         {"branches:u": sums["PRIVILEGE_U"],
          "branches:k": sums["PRIVILEGE_S"]})


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
