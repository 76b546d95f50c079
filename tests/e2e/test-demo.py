#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/demo-run: agrees with a true guest, and does not with a liar."""
import os
import pathlib
import subprocess
import sys

import bench
from bench import GUESTS, WORK, holds, same

DEMO = os.path.join(bench.SOURCE, "scripts/demo-run")
BUILD = str(pathlib.Path(bench.PMUCTL).parents[1])


def demo(build, *args):
    done = subprocess.run([DEMO, "--build", str(build), *args],
                          capture_output=True, check=False,
                          env=bench.environment(), timeout=bench.LONG)
    return bench.Done(args, done.returncode, done.stdout, done.stderr)


def test_inside_and_outside_agree():
    done = demo(BUILD)
    same(done.code, 0, done)
    for isa in bench.ISAS:
        holds(f"== {isa}: " in done.text(), done)
    same(done.text().count("are the"), 2, done)
    same(done.text().count("have the same values"), 2, done)
    same(done.text().count("all the same"), 2, done)
    for word in ("sieve", "matrix", "chase", "strings", "work.c:"):
        holds(word in done.text(), word)


def liar(name, edit):
    """A build whose pmuctl edits what the guest prints, by sed."""
    build = WORK / name
    (build / "cli").mkdir(parents=True)
    (build / "guests/overflow").mkdir(parents=True)
    for isa in bench.ISAS:
        os.symlink(GUESTS[f"overflow-{isa}"],
                   build / f"guests/overflow/overflow-{isa}.elf")
    script = build / "cli/pmuctl"
    script.write_text(f"#!/bin/bash\nset -o pipefail\n"
                      f"'{bench.PMUCTL}' \"$@\" | sed -e '{edit}'\n")
    script.chmod(0o755)
    return build


# what is wrong with it, and how sed does that
LIES = [
    ("a-pc", "/^sample/s/pc 0x\\(.*\\)\\(.\\) sieve/pc 0x\\10 sieve/"),
    ("a-sample", "0,/^sample/{/^sample/d}"),
    ("a-function", "/^sample/s/ matrix$/ chase/"),
    ("an-order", "/^sample/{h;n;/^sample/{p;x}}"),
    ("a-counter", "/stopped at/s/.$/z/"),
    ("no-samples", "/^sample/d"),
    ("no-counters", "/stopped at/d"),
]


def test_a_difference_is_found_and_shown():
    same(demo(liar("true", "s/x/x/"), "rv64").code, 0)
    for name, edit in LIES:
        done = demo(liar(name, edit), "rv64")
        same(done.code, 1, done)
        holds("NOT the same" in done.text(), done)


def test_a_missing_build_is_told():
    done = demo(WORK / "nothing")
    same(done.code, 1, done)
    holds(b"not built" in done.err, done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
