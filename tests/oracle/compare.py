#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs generated programs in the machine and in QEMU, and tells differences.

usage: compare.py RUN_MACHINE [--guests | --counts] [--modes] [--tap]
                  [--qemu DIR] [--keep DIR] FIRST COUNT [XLEN]

Each seed is a program, for RV64 and RV32 unless XLEN says which. A difference
is told with seed, step, what the step does and both values; --guests is for
harts with the hypervisor extension and programs that enter VS and VU, --counts
for programs about counters, which need QEMU 10; --modes compares the machine's
own ways to execute as well, --qemu takes the one unpacked in DIR, --keep leaves
the programs in DIR, --tap prints each seed as a test's result.
The exit status is 1 if anything differed.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import counting
import generate
import guests
import records

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

HERE = pathlib.Path(__file__).resolve().parent
GCC = "riscv64-unknown-elf-gcc"
ABI = {64: "lp64d", 32: "ilp32d"}
CPU = ("x-smaia=true,x-ssaia=true,sstc=false,zba=false,zbb=false,zbc=false,zbs=false,"
       "pmp=false,debug=false,sscofpmf=true,pmu-num=29")
BATCH = 16


class Plain:
    """Programs for harts without guests."""
    cpu, qemu = "h=false," + CPU, 7
    settings = "pmp-entries=0 smcntrpmf=off svadu=off svade=off asid-bits={}"
    generate = staticmethod(generate.generate)
    records = records

    @classmethod
    def compare(cls, p, ours, theirs):
        """The differences, and how many steps QEMU printed."""
        a = cls.records.parse(ours, p.xlen)
        b = cls.records.parse(theirs, p.xlen)
        return cls.records.differences(a, b, p.notes), len(b)


class Guests(Plain):
    """Programs for harts with guests."""
    cpu = "h=true," + CPU
    settings = ("pmp-entries=0 smcntrpmf=off svadu=off svade=off asid-bits={} "
                "h=on shcounterenw=on")
    generate = staticmethod(guests.Guests)
    records = guests


class Counts:
    """Programs about counters."""
    cpu, qemu = ("h=true,sscofpmf=true,smcntrpmf=true,smcdeleg=true,"
                 "ssccfg=true,smcsrind=true,sscsrind=true,"
                 "pmu-mask=0xfffffff8"), 10
    settings = "h=on smcdeleg=on ssccfg=on smcsrind=on sscsrind=on"
    generate = staticmethod(counting.Counting)

    @staticmethod
    def compare(p, ours, theirs):
        """As above."""
        a, b = p.parse(ours), p.parse(theirs)
        return counting.differences(a, b, p), len(b)


def build(kind, seed, xlen, folder):
    """The program and its ELF file."""
    p = kind.generate(seed, xlen)
    name = folder / f"{seed}-rv{xlen}"
    source, elf = name.with_suffix(".S"), name.with_suffix(".elf")
    source.write_text(p.source())
    subprocess.run(
        [GCC, "-I", HERE, "-nostdlib", "-nostartfiles", "-mno-relax",
         "-Wl,--build-id=none", f"-march=rv{xlen}gc", f"-mabi={ABI[xlen]}",
         "-T", HERE / "oracle.ld", "-Wl,--no-warn-rwx-segments", source,
         "-o", elf], check=True)
    return p, elf


def words(text):
    """The printed numbers."""
    out = []
    for line in text.split():
        try:
            out.append(int(line, 16))
        except ValueError:
            break
    return out


class Qemu:
    """QEMU as it is installed, or one that is unpacked in a directory."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.env = dict(os.environ)
        self.options = []
        if prefix:
            modules = next(prefix.glob("usr/lib/*/qemu"))
            self.env["QEMU_MODULE_DIR"] = str(modules)
            self.env["LD_LIBRARY_PATH"] = ":".join(sorted(
                {str(p.parent) for p in prefix.glob("**/lib*.so*")}))
            self.options = ["-L", str(prefix / "usr/share/qemu")]

    def program(self, xlen):
        """Its path."""
        name = f"qemu-system-riscv{xlen}"
        return str(self.prefix / "usr/bin" / name) if self.prefix else name

    def version(self):
        """Its first number."""
        done = subprocess.run([self.program(64), "--version"], env=self.env,
                              capture_output=True, check=True)
        return int(re.search(rb"version (\d+)", done.stdout)[1])

    def command(self, xlen):
        """What every run begins with."""
        return [self.program(xlen)] + self.options


def in_qemu(args, elf, xlen):
    """What a program prints in QEMU."""
    command = args.qemu.command(xlen) + [
        "-M", "virt", "-bios", "none",
        "-icount", "shift=0,sleep=off", "-display", "none",
        "-monitor", "none", "-serial", "stdio",
        "-cpu", f"rv{xlen},{args.kind.cpu}", "-kernel", str(elf)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=20,
                              capture_output=True, check=False,
                              env=args.qemu.env)
        return words(done.stdout.decode("latin-1"))
    except subprocess.TimeoutExpired as e:
        return words((e.stdout or b"").decode("latin-1"))


def settings(kind, xlen):
    """The machine that is nearest to QEMU's."""
    return (f"xlen={xlen} max-cycles=100000000 "
            + kind.settings.format(16 if xlen == 64 else 9))


def in_machine(args, elfs, xlen):
    """What each program prints in the machine, and remarks."""
    command = [args.runner, settings(args.kind, xlen)]
    command += ["--modes"] * args.modes
    done = subprocess.run(command + [str(e) for e in elfs],
                          capture_output=True, check=False)
    out, remarks, text = {}, [], done.stdout.decode("latin-1")
    if done.returncode not in (0, 1):
        remarks.append(f"the runner ends with {done.returncode}: "
                       + done.stderr.decode())
    lines = []
    for line in text.splitlines():
        if line.startswith("= "):
            lines = out.setdefault(line.split()[1], [])
        elif line.startswith("! "):
            remarks.append(line[2:])
        else:
            lines.append(line)
    return {e: words("\n".join(out.get(str(e), []))) for e in elfs}, remarks


def tell(p, found):
    """Print the differences of one program, as comments for TAP."""
    last = -1
    for step, name, ours, theirs in found:
        if step != last:
            note = p.notes[step] if step < len(p.notes) else "?"
            print(f"# seed {p.seed} rv{p.xlen} step {step}: {note}")
        print(f"#     {name}: {ours:x}, QEMU {theirs:x}")
        last = step


def batch(args, seeds, xlen, folder):
    """Runs some seeds; the number that differ."""
    kind = args.kind
    built = [build(kind, seed, xlen, folder) for seed in seeds]
    ours, remarks = in_machine(args, [e for _, e in built], xlen)
    for remark in remarks:
        print("#", remark)
    bad = len(remarks)
    for p, elf in built:
        found, steps = kind.compare(p, ours[elf], in_qemu(args, elf, xlen))
        good = not found and steps == len(p.notes)
        if steps != len(p.notes):
            print(f"# seed {p.seed} rv{xlen}: QEMU printed {steps} steps")
        tell(p, found)
        if args.tap:
            args.results.add(
                good, f"seed {p.seed} rv{xlen}: {len(p.notes)} steps as in "
                "QEMU", compared=steps)
        bad += not good
        if not args.keep:
            elf.unlink()
            elf.with_suffix(".S").unlink()
    sys.stdout.flush()
    return bad


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("runner")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("xlen", nargs="?", type=int)
    parser.add_argument("--guests", dest="kind", action="store_const",
                        const=Guests, default=Plain)
    parser.add_argument("--counts", dest="kind", action="store_const",
                        const=Counts)
    parser.add_argument("--qemu", type=pathlib.Path)
    parser.add_argument("--modes", action="store_true")
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--keep")
    args = parser.parse_args()
    args.qemu, args.results = Qemu(args.qemu), asserted.Results()
    return args


def main():
    """See the usage above."""
    args = arguments()
    bad = 0
    if args.qemu.version() < args.kind.qemu:
        sys.exit(f"compare.py: this needs QEMU {args.kind.qemu} or newer:"
                 " scripts/setup-qemu fetches it")
    widths = [args.xlen] if args.xlen else [64, 32]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(args.keep or folder)
        for xlen in widths:
            seeds = range(args.first, args.first + args.count)
            for i in range(0, args.count, BATCH):
                bad += batch(args, seeds[i:i + BATCH], xlen, folder)
    if args.tap:
        return args.results.done() or bad > 0
    print(f"{bad} of {args.count * len(widths)} differ")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
