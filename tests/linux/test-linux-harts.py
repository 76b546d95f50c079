#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmutest in Linux on several harts, in all translation schemes, on 7.2, and with
much memory."""
import functools
import re
import resource
import sys

import linux
from linux import boot, holds, same

HARTS = (2, 4, 8)
SCHEMES = ("sv39", "sv48", "sv57")
NEWER = "sid"
NAMES = ("_text", "start_kernel", "kernel_init", "sys_call_table",
         "init_task", "_end")
MEMORY, SPREAD_MIB = "8G", 7000
BRIEF = "pmutest test exact modes again two self"


@functools.lru_cache(maxsize=None)
def on_harts(harts):
    return boot("grep -c ^processor /proc/cpuinfo; pmutest test", harts=harts)


@functools.lru_cache(maxsize=None)
def newer():
    return boot("""
        exec 2>&1
        echo == version
        cat /proc/version
        echo == names
        grep -E " (%s)$" /proc/kallsyms
        echo == pmutest
        pmutest test
        echo == stat
        perf stat -x, -e cycles,instructions:u,cache-misses pmutest loop 100000
        echo == record
        perf record -q -o /tmp/p -e instructions:u -c 100003 \\
            pmutest branch 2000000
        perf script -i /tmp/p -F ip
        echo == end
        """ % "|".join(NAMES), what="slim", suite=NEWER)


def passes(text):
    failed = [r for r in linux.tap(text) if not r[2]]
    same(failed, [], text[-4000:])


def test_pmutest_passes_on_several_harts():
    for harts in HARTS:
        holds(on_harts(harts).text.startswith(f"{harts}\n") or
              f"\n{harts}\n" in on_harts(harts).text, on_harts(harts).text)
        passes(on_harts(harts).text)


def test_it_passes_in_brief_on_each_other_number_of_harts():
    for harts in {*range(1, max(HARTS))} - {*HARTS}:
        text = boot(f"grep -c ^processor /proc/cpuinfo; {BRIEF} cpu move",
                    harts=harts).text
        holds(f"\n{harts}\n" in f"\n{text}", text)
        passes(text)
        same(len(list(linux.tap(text))), 7, text)


def test_samples_are_the_overflows_of_the_trace_on_several_harts():
    for harts in HARTS:
        run = on_harts(harts)
        same(sum(n for _, _, n in linux.sampled(run.text)),
             sum(len(overflows) for _, overflows in linux.kept(run)))


def schemes_count_the_same_for_users(suite):
    counted = set()
    for scheme in SCHEMES:
        text = boot(f"grep mmu /proc/cpuinfo; {BRIEF}", suite=suite,
                    options=["--set", f"sv={scheme}"]).text
        holds(re.search(rf"^mmu\s*: {scheme}$", text, re.M), text)
        passes(text)
        counted.add(re.search(r"getppid: user (\d+)", text)[1])
    same(len(counted), 1, counted)


def test_every_translation_scheme_counts_the_same_for_users():
    schemes_count_the_same_for_users(linux.SUITE)


def test_every_scheme_of_the_newer_kernel_does_so_too():
    schemes_count_the_same_for_users(NEWER)


def test_the_newer_kernel_passes_too():
    holds("Linux version 7." in newer().section("version"))
    passes(newer().section("pmutest"))


def test_the_newer_kernel_passes_on_several_harts():
    for harts in HARTS:
        text = boot(f"grep -c ^processor /proc/cpuinfo; {BRIEF} cpu move",
                    harts=harts, suite=NEWER).text
        holds(f"\n{harts}\n" in f"\n{text}", text)
        passes(text)


def test_the_newer_perf_samples_what_the_trace_saw():
    inside = [int(pc, 16) for pc in newer().section("record").split()]
    holds(len(inside) > 80, inside)
    outside = [i["pc"] for i, _ in linux.kept(newer())]
    same(inside, outside[-len(inside):])


def test_the_newer_perf_says_what_is_not_supported():
    found = dict(linux.counts(newer().section("stat")))
    same(found["cache-misses"], "<not supported>")
    holds(200000 < found["instructions:u"] < 400000, found)


def test_the_newer_kernel_is_named_by_what_it_has_of_itself():
    with linux.held("true", options=("--record", "sbi"),
                    suite=NEWER) as (d, m):
        # as it is loaded, before its first instruction
        found = d.pmuctl("machine", "kallsyms", m).text()
        d.pmuctl("machine", "break", m, "kernel_init")
        d.pmuctl("machine", "resume", m)
        stop = d.pmuctl("machine", "wait", m).text().splitlines()[-1]
        holds(re.match(r"hart 0 S 0x\w+ kernel_init\+0x0( |$)", stop), stop)
        same(d.pmuctl("machine", "kallsyms", m).text(), found)
        calls = d.pmuctl("trace", "show", "-m", m, "-k", "sbi", "--symbols",
                         "kallsyms").text().splitlines()
        # the first ones come before there is a translation
        calls = [c for c in calls if " 0xffffffff" in c]
        same({c.split()[4].split("+")[0] for c in calls},
             {"_start_kernel", "__sbi_ecall"}, calls[:5])
    inside = newer().section("names").splitlines()
    same(len(inside), len(NAMES), inside)
    same(set(inside) - set(found.splitlines()), set())


def test_the_newer_kernels_shell_takes_what_is_typed():
    text = linux.typed_at_shell("pmutest test around\nexit\n", NEWER)
    same([passed for _, _, passed in linux.tap(text)], [True], text)
    holds("Power down" in text, text)


def test_memory_is_backed_as_far_as_it_is_touched():
    text = boot(f"grep MemTotal /proc/meminfo; pmutest spread {SPREAD_MIB}; "
                f"{BRIEF}", options=["--memory", MEMORY]).text
    total = int(re.search(r"MemTotal: +(\d+) kB", text)[1])
    holds(total > 7 << 20, text)
    passes(text)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"# {used >> 10} MiB of the host's were the most")
    # what the kernel says of each page is 64 bytes, and it says it of all
    holds(total >> 6 < used < 2 << 20, used)


if __name__ == "__main__":
    linux.payload("slim", NEWER)
    sys.exit(linux.bench.main(globals()))
