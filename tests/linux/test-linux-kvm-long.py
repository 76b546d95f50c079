#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A hypervisor inside, longer: perf in the nested guest, two harts, the same run
again, by one engine and from its own trace; and QEMU's word on KVM's errors."""
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

import beside
import kvm
import linux
import newc
from linux import holds, payload, same

PERIOD = 100003
# What must pass in a guest of KVM.
PASS = {"exact", "around", "repeat", "unknown", "children", "threads", "signal",
        "kernel", "cpu", "move", "firmware", "rewritten", "blocks", "across",
        "misaligned", "nested", "efault", "touch"}
# They have two events of one kind, or more samples than one before a counter is
# taken from its thread. "refused" asks for a device, and the guest has none.
KVM_ERRS = {"modes", "group", "many", "multiplex", "self", "sample", "where",
            "again", "two", "short", "cpu-sample"}
PERF = f"""
exec 2>&1
echo == stat
for n in 1000000 2000000; do
    perf stat -x, -e instructions:u pmutest loop $n
done
perf stat -x, -e instructions pmutest loop 1000000
echo == record
perf record -q -m 64 -o /tmp/p -e instructions:u -c {PERIOD} \\
    pmutest branch 2000000
perf script -i /tmp/p -F ip
echo == stats
perf report -i /tmp/p --stats
"""
INSIDE = f"""
{PERF}
echo == pmutest
pmutest test {" ".join(sorted(PASS | KVM_ERRS))}
echo == end
"""
# What makes of Sv57 another scheme of addresses.
SCHEMES = {"sv39": "no4lvl", "sv48": "no5lvl", "sv57": ""}
ENGINES = ("engines=2", "engine=check", "engine=portable")
BRIEF = "grep -c ^processor /proc/cpuinfo; pmutest test exact around move"
# In QEMU 10 with instructions counted; its sampling loses by itself.
QEMU_CPU = "rv64,h=true,sscofpmf=true,smaia=true,ssaia=true"


@functools.lru_cache(maxsize=None)
def perf():
    return kvm.boot(INSIDE, inside="slim")


@functools.lru_cache(maxsize=None)
def perf_on_two(*options):
    return kvm.boot(f"{PERF}\necho == end", inside="slim", harts=2,
                    options=options)


@functools.lru_cache(maxsize=None)
def brief(harts, setting="engines=1"):
    return kvm.boot(BRIEF, harts=harts, options=["--set", setting])


def test_perf_stat_inside_is_exact():
    for run in (perf(), perf_on_two()):
        found = [n for _, n in linux.counts(run.section("stat"))]
        same(found[1] - found[0], 2000000)
        holds(found[2] > found[0], found)


def test_perf_record_inside_has_each_overflow_of_its_counter_once():
    for run in (perf(), perf_on_two()):
        inside = [int(pc, 16) for pc in run.section("record").split()]
        outside = kvm.overflows(run, PERIOD)
        print(f"# {len(inside)} samples, {len(outside)} overflows outside, "
              f"{9 * 2000000 // 2 // PERIOD} periods")
        holds(inside, "no samples")
        # pmutest comes after it, with the same period
        same(inside, outside[:len(inside)])


def test_nothing_is_called_lost_inside():
    for run in (perf(), perf_on_two()):
        text = run.section("stats")
        holds("LOST" not in text and "THROTTLE" not in text, text)


def test_perf_inside_is_the_same_on_one_engine_and_repeated():
    linux.alike(perf_on_two(), perf_on_two("--set", "engines=2"))
    again = kvm.boot(f"{PERF}\necho == end", inside="slim", harts=2,
                     replay=perf_on_two().trace)
    same(linux.digest(again.trace), linux.digest(perf_on_two().trace))


def test_pmutest_inside_fails_only_at_what_kvm_errs_at():
    results = {name: passed for name, _, passed in
               linux.tap(perf().section("pmutest"))}
    same({n for n in PASS if not results.get(n)}, set(),
         perf().section("pmutest"))
    print("# not passed: " + ", ".join(n for n, ok in results.items()
                                       if not ok))


def test_guests_are_counted_from_outside_while_they_sample():
    guests, _ = kvm.around(perf())
    same(guests, kvm.total(perf(), "VS", "VU"))


def test_two_harts_count_as_one_does():
    run = brief(2)
    holds("\n2\n" in run.section("inside"), run.section("inside"))
    same([ok for _, _, ok in linux.tap(run.section("inside"))], [True] * 3)
    guests, rest = kvm.around(run)
    same(guests, kvm.total(run, "VS", "VU"))
    counted = kvm.windows(run)
    same(len(counted), 2)
    holds(all(counted), counted)
    same(guests + rest, sum(counted))


def test_one_engine_and_each_other_way_are_the_same():
    for setting in ENGINES:
        linux.alike(brief(1), brief(1, setting))
    linux.alike(brief(2), brief(2, "engines=2"))


def test_three_guests_at_once_have_a_scheme_each_and_count_exactly():
    texts = kvm.together(f"grep -m 1 mmu /proc/cpuinfo; {BRIEF}",
                         SCHEMES.values())
    for scheme, text in zip(SCHEMES, texts):
        same(re.findall(r"^mmu\s+: (\w+)$", text, re.M), [scheme], text)
        same([ok for _, _, ok in linux.tap(text)], [True] * 3, text)


def test_a_run_is_repeated_from_its_trace():
    for harts in (1, 2):
        again = kvm.boot(BRIEF, harts=harts, replay=brief(harts).trace)
        same(linux.digest(again.trace), linux.digest(brief(harts).trace))


def on_qemu(folder):
    """Return what the bare guest prints in KVM in Linux on QEMU."""
    rootfs = newc.Archive()
    rootfs.file("stage", b"insmod /kvm; vmm 1 64 /nested - ''")
    for name in ("kvm", "nested", "vmm"):
        rootfs.file("usr/bin/vmm" if name == "vmm" else name,
                    pathlib.Path(payload(name)).read_bytes(), 0o755)
    initrd = pathlib.Path(folder) / "initrd"
    initrd.write_bytes(pathlib.Path(payload("tiny")).read_bytes() +
                       rootfs.pack())
    command, env = beside.qemu()
    return beside.timed(
        [*command, "-M", "virt", "-cpu", QEMU_CPU, "-icount", "shift=0", "-m",
         "512M", "-display", "none", "-serial", "stdio", "-no-reboot",
         "-kernel", payload("kernel"), "-initrd", initrd, "-append",
         f"earlycon console=ttyS0 {linux.FAST}"], env, folder)[0]


def test_qemu_hears_the_same_of_kvm():
    version = subprocess.run([beside.qemu()[0][0], "--version"], check=False,
                             env=beside.qemu()[1], capture_output=True,
                             text=True).stdout
    major = re.search(r"version (\d+)", version)
    if not major or int(major[1]) < 10:
        raise linux.bench.Skipped("no QEMU 10 (scripts/setup-qemu)")
    with tempfile.TemporaryDirectory() as folder:
        there = kvm.bare(on_qemu(folder))
    here = kvm.bare(brief(1).section("bare"))
    for name in ("info", "match", "snapshot", "start-4096", "start-0",
                 "float"):
        same(there.get(name), here[name], name)


if __name__ == "__main__":
    payload("kvm")
    sys.exit(linux.bench.main(globals()))
