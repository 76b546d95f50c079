#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The same run of Linux twice, and with other engines: nothing differs."""
import functools
import subprocess
import sys

import linux
from linux import PMUCTL, alike, boot, digest, holds, same

WORK = "pmutest test exact modes sample kernel cpu move firmware"
PROVOKE = ("pmutest test rewritten blocks across misaligned refused nested efault "
           "touch kernel fork exec exit leave rotate")
HARTS = (1, 2, 4)
EARLY = 20000000  # instructions: as far as single steps go


@functools.lru_cache(maxsize=None)
def run(harts, engines, time):
    """The @time says which repetition it is."""
    del time
    return boot(WORK, harts=harts, options=["--set", f"engines={engines}"])


def test_a_run_again_is_the_same_to_the_byte():
    for harts in HARTS:
        for engines in (1, 2):
            first, again = (run(harts, engines, t) for t in (1, 2))
            alike(first, again)
            same(digest(first.trace), digest(again.trace))
            print(f"# {harts} harts, {engines} engines: {first.insns} "
                  f"instructions, trace {digest(first.trace)[:16]}")


def test_one_engine_and_two_are_the_same():
    for harts in HARTS:
        alike(run(harts, 1, 1), run(harts, 2, 1))


def test_what_is_counted_does_not_depend_on_the_run():
    holds(len({run(h, 2, 1).insns for h in HARTS}) == len(HARTS))


def test_single_steps_are_the_same_as_far_as_they_go():
    stats = []
    for stepping in ("on", "off"):
        done = subprocess.run(
            [PMUCTL, "run", "--batch", "--kernel", linux.payload("kernel"),
             "--initrd", linux.payload("tiny"), "--append", linux.FAST,
             "--max-insns", str(EARLY), "--json", "--stat", "-o", "-",
             "--set", f"step-only={stepping}"], check=False,
            env=linux.bench.environment(), stdin=subprocess.DEVNULL,
            capture_output=True, timeout=linux.LONG)
        same(done.returncode, 124, done.stderr)
        stats.append(done.stdout)
    same(stats[0], stats[1])


@functools.lru_cache(maxsize=None)
def provoked(*options):
    """What is hard for an engine (pmutest's tests of -provoke and -moment)."""
    return boot(PROVOKE, options=options)


def test_what_is_hard_for_an_engine_is_the_same_in_each():
    same([ok for _, _, ok in linux.tap(provoked().text)],
         [True] * len(PROVOKE.split()[2:]), provoked().text)
    for setting in ("engines=2", "engine=check", "engine=portable",
                    "step-only=on"):
        alike(provoked(), provoked("--set", setting))


if __name__ == "__main__":
    linux.payload("tiny")
    sys.exit(linux.bench.main(globals()))
