#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs generated programs in the machine and in QEMU, and tells differences.

usage: compare.py RUN_MACHINE [--guests] [--modes] [--tap] [--keep DIR]
                  FIRST COUNT [XLEN]

Each seed is a program, for RV64 and RV32 unless XLEN says which. A difference
is told with seed, step, what the step does and both values; --guests is for
harts with the hypervisor extension and programs that enter VS and VU, --modes
compares the machine's own ways to execute as well, --keep leaves the programs
in DIR.
The exit status is 1 if anything differed.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import generate
import guests
import records

HERE = pathlib.Path(__file__).resolve().parent
GCC = "riscv64-unknown-elf-gcc"
ABI = {64: "lp64d", 32: "ilp32d"}
CPU = ("x-smaia=true,x-ssaia=true,sstc=false,zba=false,zbb=false,zbc=false,zbs=false,"
       "pmp=false,debug=false,sscofpmf=true,pmu-num=29")
BATCH = 16


class Plain:
    """Programs for harts without guests."""
    cpu, settings = "h=false,", "asid-bits={}"
    generate = staticmethod(generate.generate)
    parse = staticmethod(records.parse)
    differences = staticmethod(records.differences)


class Guests:
    """Programs for harts with guests."""
    cpu, settings = "h=true,", "asid-bits={} h=on shcounterenw=on"
    generate = staticmethod(guests.Guests)
    parse = staticmethod(guests.parse)
    differences = staticmethod(guests.differences)


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


def in_qemu(kind, elf, xlen):
    """What a program prints in QEMU."""
    command = [f"qemu-system-riscv{xlen}", "-M", "virt", "-bios", "none",
               "-icount", "shift=0,sleep=off", "-display", "none",
               "-monitor", "none", "-serial", "stdio",
               "-cpu", f"rv{xlen},{kind.cpu}{CPU}", "-kernel", str(elf)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=20,
                              capture_output=True, check=False)
        return words(done.stdout.decode("latin-1"))
    except subprocess.TimeoutExpired as e:
        return words((e.stdout or b"").decode("latin-1"))


def settings(kind, xlen):
    """The machine that is nearest to QEMU's."""
    return (f"xlen={xlen} smcntrpmf=off svadu=off max-cycles=100000000 "
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
    """Print the differences of one program."""
    last = -1
    for step, name, ours, theirs in found:
        if step != last:
            note = p.notes[step] if step < len(p.notes) else "?"
            print(f"seed {p.seed} rv{p.xlen} step {step}: {note}")
        print(f"    {name}: {ours:x}, QEMU {theirs:x}")
        last = step


def batch(args, seeds, xlen, folder):
    """Runs some seeds; the number that differ."""
    kind = args.kind
    built = [build(kind, seed, xlen, folder) for seed in seeds]
    ours, remarks = in_machine(args, [e for _, e in built], xlen)
    for remark in remarks:
        print(remark)
    bad = len(remarks)
    for p, elf in built:
        a = kind.parse(ours[elf], xlen)
        b = kind.parse(in_qemu(kind, elf, xlen), xlen)
        found = kind.differences(a, b, p.notes)
        if len(b) != len(p.notes):
            print(f"seed {p.seed} rv{xlen}: QEMU printed {len(b)} steps")
            bad += 1
        if found:
            bad += 1
            tell(p, found)
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
    parser.add_argument("--modes", action="store_true")
    parser.add_argument("--tap", action="store_true")
    parser.add_argument("--keep")
    return parser.parse_args()


def main():
    """See the usage above."""
    args = arguments()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(args.keep or folder)
        for xlen in [args.xlen] if args.xlen else [64, 32]:
            seeds = range(args.first, args.first + args.count)
            for i in range(0, args.count, BATCH):
                bad += batch(args, seeds[i:i + BATCH], xlen, folder)
    print(f"{bad} of {args.count} differ")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
