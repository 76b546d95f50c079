#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The conformance guests: each of their results is one of this test.

A run is a guest, an ISA, options; what it shows and whether it is met is in the
guest's own TAP. Every run is done again by each other engine mode, which must
print the same, byte for byte. "# test" before a result says which claim it is
of, whatever the run.
"""
import re
import sys

import bench
from bench import GUESTS, ISAS

OPENSBI = ["--set", "profile=opensbi"]
# With a hole among them, as some hardware has.
FEW = ["--set", "hpm-counters=0x3e3f8", "--set", "fw-counters=8"]
DELEGATION = [word for name in ("smcsrind", "sscsrind", "smcdeleg", "ssccfg")
              for word in ("--set", name + "=on")]
# guest, name of the run, options
RUNS = [
    ("conformance", "spec", []),
    ("conformance", "opensbi", OPENSBI),
    ("conformance", "spec, 4 harts", ["--harts", "4"]),
    ("conformance", "opensbi, 4 harts", ["--harts", "4", *OPENSBI]),
    ("conformance", "spec, few counters", FEW),
    ("conformance", "opensbi, few counters of 40 bits",
     [*FEW, *OPENSBI, "--set", "hpm-width=40"]),
    ("conformance-m", "M", ["--mode", "m"]),
    ("conformance-m", "M, counters of 40 bits",
     ["--mode", "m", "--set", "hpm-width=40"]),
    ("conformance-m", "M, 4 harts", ["--mode", "m", "--harts", "4"]),
    ("conformance-m", "M, delegation", ["--mode", "m", *DELEGATION]),
    ("conformance-m", "M, H", ["--mode", "m", "--set", "h=on"]),
    ("conformance-m", "M, H, delegation, state-enables",
     ["--mode", "m", "--set", "h=on", "--set", "smstateen=on", *DELEGATION]),
]
ENGINES = ["engines=2", "step-only=on", "engine=portable", "engine=check"]
RESULT = re.compile(r"(not ok|ok) \d+ - (.*)")
MOST = ["--max-insns", "400M"]  # a guest that never ends fails


class Tap(bench.asserted.Results):
    """Results of this test, numbered in a row."""

    def result(self, good, run, text, notes=()):
        """A result of a run; which test it is, its guest and text say."""
        print(f"# test {run.split()[0]}: {text}")
        self.add(good, f"{run}: {text}", notes)


def play(name, isa, options):
    """Return what the guest printed and its exit code."""
    args = bench.isa_options(isa, *options, *MOST)
    done = bench.subprocess.run(
        [bench.PMUCTL, "run", *args, GUESTS[f"{name}-{isa}"]],
        stdin=bench.subprocess.DEVNULL, capture_output=True,
        timeout=bench.LONG, check=False, env=bench.environment())
    return done.stdout.decode(errors="replace"), done.returncode


def hand_on(tap, run, text):
    """Repeat a guest's results as ours; return how many there were."""
    n, notes, pending = 0, [], None
    for line in text.splitlines() + ["1..0"]:
        m = RESULT.match(line)
        if pending and not line.startswith("# =") and \
                not line.startswith("# wanted"):
            tap.result(*pending, notes)
            pending = None
        if m:
            n += 1
            pending, notes = (m[1] == "ok", run, m[2]), []
        elif line.startswith("# shows"):
            print(line)
        elif pending:
            notes.append(line[2:])
        elif not line.startswith("1.."):
            print("#", line)
    return n


def once(tap, name, isa, variant, options):
    """One guest in one way, in every engine mode."""
    run = f"{name} {isa} {variant}"
    text, code = play(name, isa, options)
    n = hand_on(tap, run, text)
    tap.result(text.endswith(f"\n1..{n}\n") and n > 0, run, "it ends",
               [f"exit {code}", *text.splitlines()[-1:]])
    for engine in ENGINES:
        again, _ = play(name, isa, [*options, "--set", engine])
        tap.result(again == text, run, f"{engine} prints the same")


def main():
    tap = Tap()
    for name, variant, options in RUNS:
        for isa in ISAS:
            once(tap, name, isa, variant, options)
    bench.shutil.rmtree(bench.WORK, ignore_errors=True)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
