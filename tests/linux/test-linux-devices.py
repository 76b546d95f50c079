#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Linux and the board's devices: interrupts, the clock, the second UART; and
QEMU's own tree for `virt`, which describes devices that are not here."""
import functools
import hashlib
import re
import shutil
import subprocess
import sys

import linux
from linux import WORK, boot, holds, same

RTC_BASE = 1000000000
SCRIPT = """
perf record -q -e instructions:u -c 100000 -o /tmp/data pmutest branch 400000
exec 3<>/dev/ttyS1
stty raw <&3
cat /tmp/data >&3
stty sane <&3
echo == sum
sha256sum </tmp/data
echo == clock
cut -d. -f1 /proc/uptime
pmutest alarm 3
echo == interrupts
cat /proc/interrupts
"""
# A virtio device's magic word, and a byte behind the last word of fw-cfg.
LOOK = """
echo == looked
devmem 0x10008000 32
devmem 0x10008000 32
devmem 0x10101018 8 || echo fault
devmem 0x1010000c 16
pmutest test around group
"""
# What QEMU 7.2 says of its hart and ours has not.
LACKS = ("h", "zba", "zbb", "zbc", "zbs", "sstc")


@functools.lru_cache(maxsize=None)
def devices():
    data = WORK / "perf.data"
    return boot(SCRIPT, "slim", options=(
        "--serial", data, "--set", f"rtc-base={RTC_BASE}")), data


def interrupts():
    """Return the count of each line, by its last two columns."""
    rows = re.findall(r"^ *\w+: +(\d+) +(.*\S)$",
                      devices()[0].section("interrupts"), re.M)
    return {re.sub(r" +", " ", name): int(n) for n, name in rows}


def test_devices_interrupt_by_the_plic_at_their_sources():
    seen = interrupts()
    holds(seen["SiFive PLIC 10 Edge ttyS0"] > 0, seen)
    holds(seen["SiFive PLIC 12 Edge ttyS1"] > 0, seen)
    same(seen["SiFive PLIC 11 Edge 101000.rtc"], 1, seen)
    holds(seen["RISC-V INTC 13 Edge riscv-pmu"] >= 18, seen)


def test_the_clock_is_the_machines_and_its_alarm_comes():
    up, first, then = map(int, re.findall(
        r"\d+", devices()[0].section("clock")))
    holds(0 <= first - RTC_BASE - up <= 1, f"{first}, up {up}")
    same(then - first, 3)


def test_perfs_file_leaves_by_the_second_uart_unchanged():
    run, data = devices()
    found = data.read_bytes()
    same(found[:8], b"PERFILE2")
    same(run.section("sum").split()[0], hashlib.sha256(found).hexdigest())


def test_perf_of_the_host_reads_it():
    holds(devices()[1].stat().st_size > 1000, "no samples")
    if not shutil.which("perf"):
        print("# perf is not installed here: only the file's sum was compared")
        return
    done = subprocess.run(
        ["perf", "script", "-v", "-f", "-F", "event,period", "-i",
         devices()[1]], check=False, capture_output=True, text=True,
        env=linux.bench.environment())
    if "more recent and unsupported ABI" in done.stderr:
        print("# perf is older here than the guest's: only the sum was compared")
        return
    same(set(done.stdout.splitlines()), {"    100000 instructions:u: "},
         done.stderr[-500:])
    same(done.stdout.count("\n"), 18, done.stdout)


def tree(name, *without):
    """Return the tree of QEMU's machine, its hart without these extensions."""
    out = WORK / name
    cpu = ",".join(["rv64", "sscofpmf=true", *(f"{e}=false" for e in without)])
    subprocess.run(["qemu-system-riscv64", "-M", f"virt,dumpdtb={out}", "-cpu",
                    cpu, "-m", "512M", "-display", "none"], check=True,
                   capture_output=True)
    return out


@functools.lru_cache(maxsize=None)
def behind_qemus_tree():
    return boot(LOOK, options=("--dtb", tree("virt.dtb", *LACKS)))


def test_qemus_promises_are_refused_by_name():
    done = linux.bench.pmuctl(
        "run", "--kernel", linux.payload("kernel"), "--dtb", tree("more.dtb"),
        code=2)
    said = re.search(r"cpu 0 promises (.*), which it has not", done.err.decode())
    same(set(said[1].split(", ")) if said else done.err.decode(), set(LACKS))


def test_linux_boots_with_qemus_tree_and_counts_exactly():
    run = behind_qemus_tree()
    same([ok for _, _, ok in linux.tap(run.text)], [True, True], run.text)


def test_what_is_not_there_reads_as_all_ones():
    same(behind_qemus_tree().section("looked").splitlines()[:5],
         ["0xFFFFFFFF", "0xFFFFFFFF", "Segmentation fault", "fault", "0xFFFF"])


def test_each_range_is_recorded_at_its_first_access():
    found = [(r["absent"]["node"], int(r["absent"]["address"]))
             for r in linux.records(behind_qemus_tree().trace, "absent")]
    same(found, [("pci@30000000", 0x30000000),
                 ("virtio_mmio@10008000", 0x10008000),
                 ("fw-cfg@10100000", 0x10100000)])


if __name__ == "__main__":
    linux.payload("slim")
    sys.exit(linux.bench.main(dict(globals())))
