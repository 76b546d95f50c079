#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""All that perf does with a PMU, in Linux: long runs."""
import functools
import json
import re
import sys

import linux
from linux import WORK, boot, holds, same

from bench import pmuctl  # found by linux

COUNTED = ("cycles", "instructions", "branches", "r100000", "r100001",
           "r100002", "r100003")
UNKNOWN = ("cache-references", "cache-misses", "branch-misses", "bus-cycles",
           "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
           "L1-dcache-loads", "L1-dcache-load-misses", "L1-icache-load-misses",
           "LLC-loads", "LLC-load-misses", "dTLB-loads", "dTLB-load-misses",
           "iTLB-load-misses", "branch-loads", "branch-load-misses",
           "node-loads")
MAPPED = 100_000_000  # instructions: the kernel has its page tables
MANY = 40  # more than there are counters
FIRMWARE = [*range(22), *range(256, 261)]
# IPI, FENCE.I, SFENCE.VMA without and with an ASID: sent, and behind each received.
BETWEEN_HARTS = range(6, 14)
ANDES = ["--set", "mvendorid=0x31e", "--set", "marchid=0x8000000000008a45"]


def events(names):
    return " ".join(f"-e {n}" for n in names)


STAT = f"""
exec 2>&1
echo == list
perf list hw cache pmu
for mode in u k; do
    echo == counted $mode
    perf stat -x, {events(n + ":$mode" for n in COUNTED)} pmutest syscall 1000
done
echo == unknown
perf stat -x, {events(UNKNOWN)} pmutest loop 1000
echo == group
perf stat -x, -e '{{instructions:u,cycles:u,instructions:u,branches:u}}' \\
    pmutest loop 1000000
echo == many
perf stat -x, {events(["instructions:u"] * MANY)} pmutest loop 40000000
echo == cpus
perf stat -x, -a -e instructions:u pmutest loop 1000000
perf stat -x, -C 0 -e instructions:u pmutest loop 1000000
echo == threads
pmutest loop 200000000 &
perf stat -x, --per-thread -p $! -e instructions:u
echo == firmware
for code in {" ".join(f"{n:03x}" for n in FIRMWARE)}; do
    perf stat -x, -a -e r8000000000000$code sleep 0.02
done
"""
# A module's code is fenced everywhere, whether it can begin or not.
BETWEEN = f"""
exec 2>&1
echo == between
perf stat -x, -a {events(f"r8000000000000{n:03x}" for n in BETWEEN_HARTS)} \\
    sh -c 'insmod /kvm; pmutest test move'
echo == end
"""
PERIOD = 100003
RECORD = f"""
exec 2>&1
echo == counted
perf stat -x, -e instructions:k pmutest syscall 20000
echo == record
perf record -q -g -o /tmp/k -e instructions:k -c {PERIOD} pmutest syscall 20000
perf record -q -g -o /tmp/f -F 2000 -e cycles pmutest branch 4000000
perf record -q -a -o /tmp/a -e instructions:u -c 50021 pmutest walk 100
perf record -q -o /tmp/two -e cycles:u -e branches:u -c 50021 \\
    pmutest branch 1000000
echo == samples
perf script -i /tmp/k -F ip,sym -G
perf script -i /tmp/a -F ip,sym
echo == stats
for file in k f a two; do perf report -i /tmp/$file --stats; done
echo == report
perf report -i /tmp/k --stdio --stdio-color never --no-children
perf report -i /tmp/f --stdio --stdio-color never --no-children
echo == two
perf report -i /tmp/two --stdio --stdio-color never
echo == annotate
perf annotate -i /tmp/f --stdio --stdio-color never w_branch
echo == top
pmutest loop 1000000000 &
sleep 9 | timeout 3 perf top --stdio -d 1 -e instructions:u
kill %1
echo == end
"""


@functools.lru_cache(maxsize=None)
def stat():
    return boot(STAT, what="full")


@functools.lru_cache(maxsize=None)
def record():
    return boot(RECORD, what="full")


def stat_counts(section):
    return linux.counts(stat().section(section))


def test_list_names_what_the_machine_counts_and_nothing_else():
    found = re.findall(r"^ +(\S+)(?: OR \S+)? +\[Hardware event\]",
                       stat().section("list"), re.M)
    same(sorted(found), ["branch-instructions", "cpu-cycles", "instructions"])
    holds("Hardware cache event" not in stat().section("list"))


def test_every_event_counts_for_users_and_for_the_kernel():
    for mode in "uk":
        found = dict(stat_counts(f"counted {mode}"))
        same(list(found), [f"{n}:{mode}" for n in COUNTED])
        holds(all(isinstance(v, int) for v in found.values()), found)
        # 1000 calls; nothing but an interrupt may come not at all
        same([n for n, v in found.items() if not v and "r100003" not in n],
             [] if mode == "u" else [n for n in found if "r100002" in n
                                     and not found[n]])
    holds(dict(stat_counts("counted u"))["r100002:u"] >= 1000)


def test_no_other_event_is_supported():
    same(stat_counts("unknown"), [(n, "<not supported>") for n in UNKNOWN])


def test_a_group_counts_at_once():
    found = [v for _, v in stat_counts("group")]
    same(found[0], found[2])
    holds(found[0] <= found[1] < found[0] + 1000, found)
    holds(1000000 < found[3] < 1100000, found)


def test_more_events_than_counters_take_turns():
    rows = re.findall(r"^(\d+),,instructions:u,\d+,([\d.]+),",
                      stat().section("many"), re.M)
    same(len(rows), MANY)
    holds(any(float(share) < 100 for _, share in rows), rows)
    for scaled, share in rows:
        holds(float(share) > 10 and abs(int(scaled) - 80e6) < 8e6, rows)


def test_cpus_count_whoever_runs():
    for _, value in stat_counts("cpus"):
        holds(2000000 < value < 3000000, value)


def test_a_thread_that_runs_is_counted_from_then_on():
    found = re.findall(r"^ *(\S+?)-\d+,(\d+),,instructions:u",
                       stat().section("threads"), re.M)
    same([name for name, _ in found], ["pmutest"],
         stat().section("threads"))
    # it ran before perf looked
    holds(0 < int(found[0][1]) < 400000100, found)


def test_every_firmware_event_counts():
    found = stat_counts("firmware")
    same([n for n, _ in found], [f"r8000000000000{n:03x}" for n in FIRMWARE])
    holds(all(isinstance(v, int) for _, v in found), found)
    values = dict(found)
    holds(values["r8000000000000005"] > 0, "set_timer")
    holds(values["r8000000000000100"] > 0, "SBI calls")
    same(values["r8000000000000000"], 0, "misaligned loads")


def test_what_harts_send_each_other_counts_on_both_sides():
    run = boot(BETWEEN, what="slim", harts=2, options=(
        "--add", f"{linux.payload('kvm')}:/kvm"))
    found = [v for _, v in linux.counts(run.section("between"))]
    same(len(found), len(BETWEEN_HARTS), run.section("between"))
    holds(all(found), found)
    # perf's own IPIs may come where a counter begins or ends; fences do not
    same(found[2::2], found[3::2])


@functools.lru_cache(maxsize=None)
def named():
    return boot("""
        exec 2>&1
        echo == list
        perf list pmu --no-desc
        echo == stat
        perf stat -x, -a -e fw_set_timer,fw_ipi_sent sleep 0.05
        """, what="slim", options=ANDES)


def test_a_core_that_perf_knows_has_firmware_events_by_name():
    names = set(re.findall(r"\bfw_\w+", named().section("list")))
    same(len(names), 22, names)
    holds(dict(linux.counts(named().section("stat")))["fw_set_timer"] > 0)


def kernel_samples():
    """Return (pc, function) of each sample of the calls, in order."""
    found = re.findall(r"^ *([89a-f][0-9a-f]{15}) (\S+)$",
                       record().section("samples"), re.M)
    return [(int(pc, 16), name) for pc, name in found]


def test_there_are_as_many_samples_as_was_counted():
    (_, counted), = linux.counts(record().section("counted"))
    expected = counted // PERIOD
    # sampling has instructions of its own, which the count has not
    holds(expected > 50, counted)
    holds(expected <= len(kernel_samples()) <= expected * 1.1,
          (counted, len(kernel_samples())))


def test_nothing_is_lost_or_throttled():
    text = record().section("stats")
    same(len(re.findall(r"TOTAL events", text)), 4)
    holds("LOST" not in text and "THROTTLE" not in text, text)


def test_samples_are_the_interrupts_one_by_one():
    inside = [int(m, 16) for m in re.findall(r"^ *([0-9a-f]+) \S",
                                             record().section("samples"),
                                             re.M)]
    holds(len(inside) > len(kernel_samples()), inside)
    outside = [i["pc"] for i, _ in linux.kept(record())]
    # the first and the third of the recordings, in their order
    first = outside.index(inside[0])
    walk = iter(outside[first:])
    holds(all(pc in walk for pc in inside), (inside[:9], outside[:9]))


@functools.lru_cache(maxsize=None)
def kallsyms():
    """Return a file of what a machine finds in the kernel's memory."""
    path = WORK / "kallsyms"
    with linux.held("true") as (d, m):
        d.pmuctl("machine", "until", m, "--insn", MAPPED)
        d.pmuctl("machine", "kallsyms", m, "--output", path)
    return path


def test_functions_of_the_kernel_have_the_names_that_perf_has_for_them():
    inside = kernel_samples()
    holds(len({name for _, name in inside}) > 5, inside)
    done = pmuctl("trace", "show", "-j", "-k", "trap", "--symbols", kallsyms(),
                  record().trace)
    outside = {int(r["pc"]): r.get("function") for r in
               map(json.loads, done.text().splitlines())}
    same([(pc, outside[pc]) for pc, _ in inside], inside)


def test_reports_have_call_graphs():
    text = record().section("report")
    holds(re.search(r"do_trap_ecall_u\n +handle_exception", text), text[:3000])
    holds(re.search(r"^ +9\d\.\d+% +pmutest +pmutest +\[\.\] w_branch", text,
                    re.M), text[-3000:])


def test_two_events_are_sampled_at_once():
    found = re.findall(r"^# Samples: (\d+) +of event '([\w:]+)'",
                       record().section("two"), re.M)
    same([n for _, n in found], ["cycles:u", "branches:u"])
    cycles, branches = (int(n) for n, _ in found)
    holds(cycles >= 4500000 // 50021 and branches >= 2000000 // 50021, found)


def test_annotate_shows_the_instructions():
    text = record().section("annotate")
    for insn in ("andi", "bnez", "addi"):
        holds(re.search(rf"\d+\.\d+ .*\b{insn}\b", text), text)


def test_top_names_who_runs():
    text = record().section("top")
    holds(re.search(r"\d+\.\d+%.*\[\.\] w_loop", text), text[-3000:])


if __name__ == "__main__":
    linux.payload("full")
    sys.exit(linux.bench.main(globals()))
