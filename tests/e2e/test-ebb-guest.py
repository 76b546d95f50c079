#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Event-based branches in the guest: each result of guests/ebb is one of this
test, on RV64 and RV32, with one hart and two. Every engine mode must print the
same, and the trace has the branches."""
import re
import sys

import bench
from bench import GUESTS, ISAS

RESULT = re.compile(r"(not ok|ok) \d+ - (.*)")
RUNS = [("one hart", []), ("two harts", ["--harts", "2"])]
ENGINES = ["engines=1", "step-only=on"]
MOST = ["--set", "xpmuebb=on", "--max-insns", "400M"]
MOVES = "a process that moves to another hart"


def play(isa, *options):
    """Return what the guest printed and its exit code."""
    done = bench.subprocess.run(
        [bench.PMUCTL, "run", *bench.isa_options(isa, *MOST, *options),
         GUESTS[f"ebb-{isa}"]],
        stdin=bench.subprocess.DEVNULL, capture_output=True,
        timeout=bench.LONG, check=False, env=bench.environment())
    return done.stdout.decode(errors="replace"), done.returncode


class Tap:
    """Results of this test, numbered in a row."""

    def __init__(self):
        self.n = self.failed = 0

    def result(self, good, text):
        self.n += 1
        self.failed += not good
        print("ok" if good else "not ok", self.n, "-", text)


def once(tap, isa, variant, options):
    """One run, and the same in the other engine modes."""
    run = f"ebb {isa} {variant}"
    text, code = play(isa, *options)
    n = 0
    for line in text.splitlines():
        m = RESULT.match(line)
        if m:
            n += 1
            tap.result(m[1] == "ok", f"{run}: {m[2]}")
        elif line.startswith("# shows"):
            print(line)
    tap.result(n > 20 and code == 0 and text.endswith(f"\n1..{n}\n"),
               f"{run}: it ends")
    tap.result((MOVES in text) == bool(options), f"{run}: it has moved")
    for engine in ENGINES:
        again, _ = play(isa, *options, "--set", engine)
        tap.result(again == text, f"{run}: {engine} prints the same")


def refused(tap, isa):
    """Without the extension, and as the reference, there is no claim."""
    for name, options in (("off", ["--set", "xpmuebb=off"]),
                          ("opensbi", ["--set", "profile=opensbi"])):
        text, code = play(isa, *options)
        tap.result("no counters" in text and code != 0,
                   f"ebb {isa} {name}: it is not offered")


def traced(tap, isa):
    """A branch is a record, right behind that of its overflow."""
    path = str(bench.WORK / f"ebb-{isa}.trace")
    play(isa, "--trace", path)
    text = bench.subprocess.run(
        [bench.PMUCTL, "trace", "show", path], capture_output=True,
        timeout=bench.LONG, check=False,
        env=bench.environment()).stdout.decode(errors="replace")
    branches = re.findall(r"hart event.branch for counters (0x\w+)", text)
    tap.result(len(branches) > 6000 and set(branches) <= {"0x8", "0x10",
                                                          "0x18"},
               f"ebb {isa} traced: {len(branches) > 6000} branches")


def main():
    tap = Tap()
    for isa in ISAS:
        for variant, options in RUNS:
            once(tap, isa, variant, options)
        refused(tap, isa)
        traced(tap, isa)
    print(f"1..{tap.n}")
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
