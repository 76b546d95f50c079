#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Linux behind Debian's own OpenSBI, in M-mode on our harts and devices.

What pmutest says of counting and sampling through its SBI PMU is what it says
of the firmware model, but where 1.1 gives an event of users the counter of
instructions, which it has no filter for: that is the last of thirty events that
count at once (docs/CLIENTS.md). A newer OpenSBI is tried, too, where
scripts/setup-opensbi has fetched one. Their other firmware is tried in brief; Debian
builds no fw_payload: it is fw_jump with the kernel where it goes.
"""
import functools
import pathlib
import re
import sys

import linux
from linux import FAST, WORK, boot, holds, same

from bench import pmuctl  # found by linux

UNFILTERED = {"many"}
BRIEF = "pmutest test exact modes two"
EACH = "pmutest test exact cpu cpu-sample move"
RAM, NEXT = 0x80000000, 0x80200000


@functools.lru_cache(maxsize=None)
def pmutest(firmware):
    return boot("pmutest test; true", options=("--bios", firmware)).text


def version(firmware):
    """Return what it says that it is, as 1.1."""
    found = re.search(r"^OpenSBI v([\d.]+)", pmutest(firmware), re.M)
    holds(found, pmutest(firmware)[:2000])
    return found[1]


def of_pmutest(firmware, name, sentence, passed):
    def result():
        holds(passed, pmutest(firmware)[-5000:])
    return (f"test_behind_opensbi_{version(firmware)}_{name}:_{sentence}"
            .replace(" ", "_"), result)


def switches_off(firmware):
    def result():
        results = list(linux.tap(pmutest(firmware)))
        holds(f"\n1..{len(results)}\n" in pmutest(firmware),
              pmutest(firmware)[-3000:])
        holds(len(results) >= 22, results)
    return (f"test_linux_boots_behind_opensbi_{version(firmware)}_and_"
            "switches_off", result)


def jump(firmware):
    """Linux starts where the firmware always goes."""
    return boot(BRIEF, options=("--bios", firmware.with_name("fw_jump.elf"))
                ).text


def with_payload(firmware):
    """There is no kernel but the one in the firmware."""
    path = WORK / "fw_payload.bin"
    path.write_bytes(
        firmware.with_name("fw_jump.bin").read_bytes().ljust(NEXT - RAM, b"\0") +
        pathlib.Path(linux.payload("kernel")).read_bytes())
    done = pmuctl("run", "--bios", path, *linux.staged(BRIEF), "--memory",
                  "512MiB", "--append", f"console=ttyS0 quiet {FAST}")
    return done.text().replace("\r", "")


def on_two_harts(firmware):
    def result():
        text = boot(f"grep -c ^processor /proc/cpuinfo; {EACH}", harts=2,
                    options=("--bios", firmware)).text
        holds("\n2\n" in text, text)
        same([ok for _, _, ok in linux.tap(text)], [True] * 4, text[-3000:])
    return ("test_both_harts_count_and_sample_behind_opensbi_"
            f"{version(firmware)}", result)


def counts_behind(firmware, name, text_of):
    def result():
        text = text_of(firmware)
        same([ok for _, _, ok in linux.tap(text)], [True] * 3, text[-3000:])
        holds(re.search(r"reboot: Power down\n", text), text[-3000:])
    return (f"test_linux_counts_behind_{name}_of_opensbi_{version(firmware)}",
            result)


def of(firmware):
    yield switches_off(firmware)
    yield on_two_harts(firmware)
    yield counts_behind(firmware, "fw_jump", jump)
    yield counts_behind(firmware, "fw_payload", with_payload)
    for name, sentence, passed in linux.tap(pmutest(firmware)):
        if version(firmware) != "1.1" or name not in UNFILTERED:
            yield of_pmutest(firmware, name, sentence, passed)


def test_opensbi_1_1_gives_an_event_of_users_the_counter_without_filter():
    for firmware in linux.opensbi():
        failed = {n for n, _, ok in linux.tap(pmutest(firmware)) if not ok}
        same(failed, UNFILTERED if version(firmware) == "1.1" else set())


if __name__ == "__main__":
    if not linux.opensbi():
        linux.cannot_run("no OpenSBI: the package opensbi is not installed")
    linux.payload("tiny")
    tests = dict(globals())
    for one in linux.opensbi():
        tests.update(of(one))
    sys.exit(linux.bench.main(tests))
