#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Linux with unmodified perf, as far as there is time in every run.

Each result of pmutest in the guest is one here. Beside what the guest sees
stands what the machine's trace saw of the same run from outside.
"""
import functools
import re
import sys

import linux
from linux import boot, counts, holds, same

FIND = """
exec 2>&1
echo == stat
perf stat -x, -e cycles:u,instructions:u,cycles:k,instructions:k \\
    pmutest loop 1000000
echo == again
perf stat -x, -e instructions:u,instructions:u,branches:u pmutest loop 1000000
perf stat -x, -e branches:u,instructions:u pmutest loop 2000000
echo == unknown
perf stat -x, -e cache-misses,branch-misses,L1-dcache-loads,branches \\
    pmutest loop 1000
echo == user
perf record -q -o /tmp/user -e instructions:u -c 100003 pmutest branch 2000000
perf script -i /tmp/user -F ip
echo == both
perf record -q -o /tmp/both -e instructions -c 100019 pmutest syscall 20000
perf script -i /tmp/both -F ip
echo == report
perf report -i /tmp/user --stdio --stdio-color never
echo == stats
perf report -i /tmp/user --stats
perf report -i /tmp/both --stats
"""
SAMPLES_KERNEL = "pmutest test kernel"


@functools.lru_cache(maxsize=None)
def pmutest():
    return boot("pmutest test; true")


@functools.lru_cache(maxsize=None)
def kernel():
    return boot(SAMPLES_KERNEL)


@functools.lru_cache(maxsize=None)
def perf():
    return boot(FIND, what="slim")


def of_pmutest(name, sentence, passed):
    def result():
        holds(passed, pmutest().text[-5000:])
    return f"test_pmutest_{name}:_{sentence}".replace(" ", "_"), result


def test_pmutest_runs_to_its_end():
    results = list(linux.tap(pmutest().text))
    holds(f"\n1..{len(results)}\n" in pmutest().text, pmutest().text[-3000:])
    holds(len(results) >= 22, results)


def test_all_samples_of_a_run_are_the_overflows_of_its_trace():
    found = linux.sampled(pmutest().text)
    holds(len(found) > 10, pmutest().text)
    same(sum(n for _, _, n in found),
         sum(len(overflows) for _, overflows in linux.kept(pmutest())))


def test_each_overflow_has_its_interrupt():
    run = pmutest()
    interrupts = list(linux.served(run))
    dropped = sum(o["dropped"] for o in run.overflows)
    print(f"# {len(run.overflows)} overflows, {dropped} of them when their "
          "event was just being taken from the counter")
    same(sum(len(o) for _, o in interrupts) + dropped, len(run.overflows))


def test_each_run_of_the_engine_can_look_at_all_that_it_has_rewritten():
    # in slices as short as they get
    linux.alike(boot("echo on"), boot("echo on", options=[
        "--set", "engine=check", "--set", "host-slice=1"]))


def test_more_code_than_is_kept_translated_runs_on():
    with linux.held("pmutest test blocks") as (d, m):
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        text = d.pmuctl("machine", "console", m).text()
        holds("\nok 1 - blocks: " in text, text)
        holds(int(d.show(m)["codeEmptied"]) > 0, "all was kept")


def test_samples_of_the_kernel_are_the_interrupts_that_were_taken():
    found = linux.sampled(kernel().text)
    same(len(found), 4)
    same(sum(n for _, _, n in found), len(linux.kept(kernel())))


@functools.lru_cache(maxsize=None)
def kernels_windows():
    return linux.windows(kernel(), [period for period, _, _ in
                                    linux.sampled(kernel().text)])


def test_no_more_samples_are_missing_than_periods_fell_together():
    for (period, counted, samples), window in zip(
            linux.sampled(kernel().text), kernels_windows()):
        same(len(window.served), samples)
        lost = window.late()
        for line in linux.listing(lost):
            print(f"# period {period}: {line}")
        missing = counted // period - samples
        holds(0 <= missing <= window.dropped + sum(n.periods for n in lost),
              (period, counted, samples, window.dropped))


def test_periods_that_fell_together_did_so_while_interrupts_were_off():
    # when the period was over, and when the next one was
    points = sorted((late.overflow["cycle"] + after,
                     late.overflow["overflow"]["counter"])
                    for window in kernels_windows() for late in window.late()
                    for after in (0, window.period))
    counter, = {counter for _, counter in points}
    kept_back = [fact["text"].rpartition("; ")[2] for said in linux.explained(
                     kernel(), SAMPLES_KERNEL, counter, [c for c, _ in points])
                 for fact in said["facts"] if fact["topic"] == "interrupt"]
    same(kept_back, len(points) * ["sstatus.SIE = 0 keeps it back"])
    holds(points, "none fell together")


def test_users_count_the_same_by_any_counter():
    first, second, branches, fewer, more = counts(perf().section("again"))
    same(first, second)
    # and what its start takes, which depends on who compiled it
    holds(2000000 < first[1] < 2500000, first)
    same(fewer[1] - branches[1], 1000000)
    same(more[1] - first[1], 2000000)


def test_both_modes_have_cycles_and_instructions():
    found = dict(counts(perf().section("stat")))
    same(list(found), ["cycles:u", "instructions:u", "cycles:k",
                       "instructions:k"])
    for mode in "uk":
        # at one cycle an instruction, a trap's is what they differ by
        more = found[f"cycles:{mode}"] - found[f"instructions:{mode}"]
        holds(0 < more < 2000, found)
    holds(found["instructions:k"] > 100000, found)


def test_an_event_that_is_not_counted_is_not_supported_and_never_0():
    found = counts(perf().section("unknown"))
    same([v for _, v in found[:3]], ["<not supported>"] * 3)
    holds(found[3][1] > 1000, found)


def pcs(section):
    return [int(line, 16) for line in perf().section(section).split()]


def test_perf_samples_are_the_interrupts_one_by_one():
    inside = pcs("user") + pcs("both")
    holds(len(pcs("user")) > 80 and len(pcs("both")) > 80, inside)
    same(inside, [i["pc"] for i, _ in linux.kept(perf())])


def test_users_samples_are_where_their_overflow_was():
    inside = pcs("user")
    same(inside, [o["pc"] for o in perf().overflows[:len(inside)]])


def test_nothing_was_lost_or_throttled():
    text = perf().section("stats")
    same(len(re.findall(r"^ +SAMPLE events: ", text, re.M)), 4)
    holds("LOST" not in text and "THROTTLE" not in text, text)


def test_the_report_names_the_work():
    text = perf().section("report")
    share = re.search(r"^ +(\d+\.\d+)% +pmutest +pmutest +\[\.\] w_branch",
                      text, re.M)
    holds(share and float(share[1]) > 90, text)


def u_boot(mode, address):
    """Return what U-Boot says to a few commands at its prompt."""
    typed = "\n\nsbi\nfdt addr $fdtcontroladdr\nfdt print /chosen\npoweroff\n"
    return linux.bench.pmuctl(
        "run", "--mode", mode, f"--flat={address:#x}", "--memory", "256M",
        linux.payload(f"u-boot-{mode}"), stdin=typed.encode()).text()


def test_u_boot_in_s_mode_finds_the_sbi_and_switches_the_machine_off():
    text = u_boot("s", 0x80200000)
    holds("SBI 3.0" in text and "Performance Monitoring Unit" in text, text)
    holds("rng-seed = <" in text and "poweroff ..." in text, text)


def test_u_boot_in_m_mode_reads_the_tree_and_switches_the_machine_off():
    text = u_boot("m", 0x80000000)
    holds("rng-seed = <" in text and "poweroff ..." in text, text)


def test_a_shell_takes_what_is_typed_and_switches_the_machine_off():
    text = linux.typed_at_shell("pmutest test around\nexit\n")
    same([passed for _, _, passed in linux.tap(text)], [True], text)
    holds("Power down" in text, text)


if __name__ == "__main__":
    linux.payload("slim")
    tests = dict(globals())
    tests.update(of_pmutest(*r) for r in linux.tap(pmutest().text))
    sys.exit(linux.bench.main(tests))
