#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The C client's callbacks on overflow, against what the guest itself saw."""
import os
import pathlib
import re
import subprocess
import sys

import bench
from bench import GUESTS, daemon, holds, pmuctl, same

EXAMPLE = pathlib.Path(bench.PMUCTL).parents[1] / "client/overflow-callback"
GUEST = GUESTS["overflow-rv64"]
LINE = re.compile(r"(\d+): hart 0 counter (\d+) \((\w+)\) at 0x[0-9a-f]+, "
                  r"next (0x[0-9a-f]+), mode S, insn (\d+), cycle (\d+)")


def callbacks(bench_daemon, counter):
    """Start the guest with overflows held to its end; what was called back."""
    socket = os.path.join(bench_daemon.runtime, "pmud.sock")
    done = subprocess.run([EXAMPLE, f"unix://{socket}", GUEST, str(counter)],
                          capture_output=True, text=True, check=False,
                          timeout=bench.LONG, env=bench_daemon.env())
    same(done.returncode, 0, done.stderr)
    *lines, last = done.stdout.splitlines()
    found = [LINE.fullmatch(line) for line in lines]
    holds(all(found), done.stdout)
    same(last, f"{len(found)} overflows")
    same([int(m[1]) for m in found], list(range(1, len(found) + 1)))
    return found


def test_callbacks_come_late_but_all_of_them_and_in_order():
    samples = re.findall(rb"sample (\w+) counter (\d+) pc (0x[0-9a-f]+)",
                         pmuctl("run", GUEST).out)
    with daemon() as d:
        for counter in (3, 4):
            seen = [(m[3].encode(), m[4].encode())
                    for m in callbacks(d, counter)]
            wanted = [(s[0], s[2]) for s in samples if int(s[1]) == counter]
            holds(len(wanted) > 10, samples)
            same(seen, wanted)


def test_a_counter_that_never_overflows_calls_nothing_back():
    with daemon() as d:
        same(callbacks(d, 31), [])


def test_a_counter_that_cannot_overflow_is_refused():
    with daemon() as d:
        socket = os.path.join(d.runtime, "pmud.sock")
        done = subprocess.run([EXAMPLE, f"unix://{socket}", GUEST, "2"],
                              capture_output=True, text=True, check=False,
                              timeout=bench.LONG)
        same(done.returncode, 1)
        holds("counter 2 cannot overflow" in done.stderr, done.stderr)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
