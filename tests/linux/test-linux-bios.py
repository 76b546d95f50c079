#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Linux behind Debian's own OpenSBI, in M-mode on our harts and devices.

What pmutest says of counting and sampling through its SBI PMU is what it says
of the firmware model, but where many equal events share counters: of thirty
that count at once, and of forty that take turns, OpenSBI 1.1 has some too low
and some too high, 1.9 the latter.
"""
import functools
import pathlib
import sys

import linux
from linux import boot, holds

OPENSBI = pathlib.Path(
    "/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin")
SHARING = {"many", "multiplex"}


@functools.lru_cache(maxsize=None)
def pmutest():
    return boot("pmutest test; true", options=("--bios", OPENSBI)).text


def of_pmutest(name, sentence, passed):
    def result():
        holds(passed, pmutest()[-5000:])
    return f"test_behind_opensbi_{name}:_{sentence}".replace(" ", "_"), result


def test_linux_boots_behind_opensbi_and_switches_off():
    results = list(linux.tap(pmutest()))
    holds("\nOpenSBI v1." in pmutest(), pmutest()[:2000])
    holds(f"\n1..{len(results)}\n" in pmutest(), pmutest()[-3000:])
    holds(len(results) >= 22, results)


if __name__ == "__main__":
    if not OPENSBI.exists():
        print("1..0 # SKIP no OpenSBI: the package opensbi is not installed")
        sys.exit(0)
    linux.payload("tiny")
    tests = dict(globals())
    tests.update(of_pmutest(*r) for r in linux.tap(pmutest())
                 if r[0] not in SHARING)
    sys.exit(linux.bench.main(tests))
