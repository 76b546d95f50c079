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
# What every QEMU says of its hart and ours has not; newer ones say more.
LACKS = {"h", "zba", "zbb", "zbc", "zbs", "sstc"}
ISA = re.compile(r'riscv,isa = "rv64([a-z]+)(\w*)"')


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
    samples = len(linux.kept(devices()[0]))
    holds(samples >= 18, samples)
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
    same(done.stdout.splitlines(), samples * ["    100000 instructions:u: "],
         done.stderr[-500:])


@functools.lru_cache(maxsize=None)
def qemus_tree():
    """Return the source of the tree of QEMU's machine."""
    out = WORK / "virt.dtb"
    subprocess.run(["qemu-system-riscv64", "-M", f"virt,dumpdtb={out}", "-cpu",
                    "rv64,sscofpmf=true", "-m", "512M", "-display", "none"],
                   check=True, capture_output=True)
    return subprocess.run(["dtc", "-q", "-I", "dtb", out], check=True,
                          capture_output=True, text=True).stdout


def compiled(name, source):
    out = WORK / name
    subprocess.run(["dtc", "-q", "-O", "dtb", "-o", out], check=True,
                   input=source, text=True)
    return out


def extensions(source):
    """Return what a tree says that the hart has."""
    letters, names = ISA.search(source).groups()
    return {*letters, *names.split("_")[1:]}


@functools.lru_cache(maxsize=None)
def refused():
    """Return the names for which QEMU's tree is an error."""
    done = linux.bench.pmuctl(
        "run", "--kernel", linux.payload("kernel"), "--dtb",
        compiled("more.dtb", qemus_tree()), code=2)
    said = re.search(r"cpu 0 promises (.*), which it has not", done.err.decode())
    holds(said, done)
    return set(said[1].split(", "))


def kept_promises():
    """Return QEMU's tree without what was refused.

    Some names no option of QEMU 10 takes out, so they go from the tree; the
    string has them all, and no list may stand beside it.
    """
    def less(match):
        letters = [c for c in match[1] if c not in refused()]
        names = [n for n in match[2].split("_")[1:] if n not in refused()]
        return f'riscv,isa = "{"_".join(["rv64" + "".join(letters), *names])}"'
    source, times = ISA.subn(less, qemus_tree())
    same(times, 1)
    return re.sub(r"^\s*riscv,isa-.* = .*\n", "", source, flags=re.M)


@functools.lru_cache(maxsize=None)
def behind_qemus_tree():
    return boot(LOOK, options=("--dtb", compiled("less.dtb", kept_promises())))


def test_qemus_promises_are_refused_by_name():
    promised = extensions(qemus_tree())
    same(LACKS - refused(), set())
    same(refused() - promised, set(), "each is a name of the tree, and whole")
    same(refused() & {*"imafdc", "zicsr", "sscofpmf"}, set())


def test_linux_boots_with_qemus_tree_and_counts_exactly():
    run = behind_qemus_tree()
    same([ok for _, _, ok in linux.tap(run.text)], [True, True], run.text)


def test_linux_boots_behind_opensbi_with_qemus_tree_and_counts_exactly():
    found = linux.opensbi()
    if not found:
        raise linux.bench.Skipped("the package opensbi is not installed")
    tree = compiled("less.dtb", kept_promises())
    for firmware in found:
        text = boot("pmutest test around group", options=(
            "--bios", firmware, "--dtb", tree)).text
        holds(re.search(r"Platform Name +: riscv-virtio,qemu\n", text), text)
        same([ok for _, _, ok in linux.tap(text)], [True, True], text)


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
