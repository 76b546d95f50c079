#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""perf behind OpenSBI's SBI PMU beside perf on the firmware model: what users do is
counted and sampled alike, to the instruction, and what differs is known."""
import functools
import sys

import linux
from linux import boot, holds, same

PERIOD = 100003
USERS = "instructions:u", "branches:u", "r100000:u"
OTHERS = ("cycles:u", "instructions:k", "cycles:k")
UNKNOWN = ("cache-misses", "branch-misses")
EVENTS = " ".join(f"-e {e}" for e in (*USERS, *OTHERS, *UNKNOWN))
SCRIPT = f"""
exec 2>&1
echo == stat
perf stat -x, {EVENTS} pmutest branch 1000000
echo == user
perf record -q -o /tmp/user -e instructions:u -c {PERIOD} \\
    pmutest branch 1000000
perf script -i /tmp/user -F ip
echo == kernel
perf record -q -o /tmp/kernel -e instructions:k -c {PERIOD} \\
    pmutest syscall 20000
perf script -i /tmp/kernel -F ip
echo == stats
perf report -i /tmp/user --stats
perf report -i /tmp/kernel --stats
echo == end
"""


@functools.lru_cache(maxsize=None)
def run(firmware=None):
    """Without @firmware, on the model."""
    return boot(SCRIPT, what="slim",
                options=("--bios", firmware) if firmware else ())


def counts(firmware=None):
    return dict(linux.counts(run(firmware).section("stat")))


def pcs(section, firmware=None):
    return [int(pc, 16) for pc in run(firmware).section(section).split()]


def traps(firmware=None):
    """The cycles of users in which nothing retired."""
    return (counts(firmware)["cycles:u"] - counts(firmware)["instructions:u"])


def test_users_count_the_same():
    for firmware in linux.opensbi():
        same([counts(firmware)[e] for e in USERS], [counts()[e] for e in USERS])
        holds(counts()["instructions:u"] > 4500000, counts())


def test_the_same_is_not_supported():
    for firmware in (None, *linux.opensbi()):
        same([counts(firmware)[e] for e in UNKNOWN],
             ["<not supported>"] * len(UNKNOWN))


def test_users_samples_are_the_same_one_by_one():
    for firmware in linux.opensbi():
        same(pcs("user", firmware), pcs("user"))
    same(len(pcs("user")), counts()["instructions:u"] // PERIOD)


def test_samples_are_the_interrupts_of_the_trace():
    for firmware in (None, *linux.opensbi()):
        inside = pcs("user", firmware) + pcs("kernel", firmware)
        outside = [i["pc"] for i, overflows in linux.served(run(firmware))
                   if overflows]
        holds(len(pcs("kernel", firmware)) > 80, inside)
        # a recording's end may take the event from an overflow
        walk = iter(outside)
        holds(all(pc in walk for pc in inside), (inside, outside))
        holds(0 <= len(outside) - len(inside) <= 2, (inside, outside))


def test_nothing_is_lost_or_throttled():
    for firmware in (None, *linux.opensbi()):
        text = run(firmware).section("stats")
        holds("LOST" not in text and "THROTTLE" not in text, text)


def test_a_tick_of_the_machines_timer_is_one_trap_more():
    """A trap is a cycle, and OpenSBI hands a timer's on: that makes two."""
    for firmware in linux.opensbi():
        more = traps(firmware) - traps()
        handed_on = sum(r["trap"]["interrupt"] and
                        r["trap"]["target"] == "PRIVILEGE_M" and
                        r["privilege"] == "PRIVILEGE_U"
                        for r in linux.records(run(firmware).trace, "trap"))
        print(f"# {more} cycles of users' more; {handed_on} interrupts of "
              "users' went to OpenSBI, in the whole run")
        holds(0 <= more <= handed_on, more)


def test_the_kernel_does_nearly_the_same():
    """Its calls do not retire; what it does at a tick depends on the time."""
    for firmware in linux.opensbi():
        one, other = (counts(f)["instructions:k"] for f in (None, firmware))
        print(f"# {one} here, {other} there")
        holds(abs(one - other) < one // 50, (one, other))


if __name__ == "__main__":
    if not linux.opensbi():
        linux.cannot_run("no OpenSBI: the package opensbi is not installed")
    linux.payload("slim")
    sys.exit(linux.bench.main(globals()))
