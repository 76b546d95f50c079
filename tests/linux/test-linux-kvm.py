#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A hypervisor inside: KVM of Debian's kernel boots the same kernel again.

What perf counts of the guest and of all else is compared with the machine's own
totals. A guest without Linux tells what KVM errs at by itself, and what its
Linux does (docs/CLIENTS.md).
"""
import functools
import sys

import kvm
import linux
from linux import holds, same

INSTRET = 2  # the counter that KVM gives to each event of instructions
INVALID_PARAM = -3
ROUNDS = 100000  # of tests/linux/nested


@functools.lru_cache(maxsize=None)
def run():
    return kvm.boot("pmutest test exact around repeat children move")


def bare():
    return kvm.bare(run().section("bare"))


def test_linux_boots_in_linux_and_counts_exactly():
    results = list(linux.tap(run().section("inside")))
    same([name for name, _, passed in results if passed],
         ["exact", "around", "repeat", "children", "move"], results)


def test_perf_counts_of_guests_are_the_totals_of_vs_and_vu():
    guests, _ = kvm.around(run())
    same(guests, kvm.total(run(), "VS", "VU"))


def test_perf_counts_of_the_rest_are_what_else_was_retired():
    guests, rest = kvm.around(run())
    same([guests + rest], kvm.windows(run()))


def test_a_guest_has_a_sample_for_each_period():
    same(bare()["samples"], [[50]])


def test_floating_point_that_a_guest_switched_off_traps_in_it():
    same(bare()["float"], [[ROUNDS, 1]])


def test_kvm_gives_one_counter_to_two_events():
    same(bare()["match"], [[0, INSTRET], [0, INSTRET]])


def test_kvm_refuses_what_linux_starts_after_an_overflow():
    same(bare()["snapshot"], [[0]])
    same(bare()["start-4096"], [[INVALID_PARAM]])
    same(bare()["start-0"], [[0]])


def test_which_process_of_a_guest_runs_is_not_known():
    whose = {mode: [o.get("process") for o in run().overflows
                    if o["privilege"] == f"PRIVILEGE_{mode}"]
             for mode in ("VS", "VU")}
    print(f"# {[len(all) for all in whose.values()]} overflows")
    holds(any(whose.values()), whose)
    same([p for all in whose.values() for p in all if p], [])


if __name__ == "__main__":
    linux.payload("kvm")
    sys.exit(linux.bench.main(globals()))
