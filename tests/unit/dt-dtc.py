#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The generated device tree through dtc: no warning, and the same tree back.

Arguments: dt-dump, dtc.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

MACHINES = [("64", "1"), ("64", "4"), ("64", "64"), ("32", "1"), ("32", "4"),
            ("64", "64", "mixed")]


# dtc wants #address-cells in a cpu's interrupt controller, where the binding
# riscv,cpu-intc does not allow it.
SILENT = ["-W", "no-interrupt_provider"]


def dtc(program, kind, to, data):
    """Return what dtc makes of data, and what it says about it."""
    done = subprocess.run([program, "-I", kind, "-O", to, "-s", *SILENT],
                          input=data, capture_output=True, check=False)
    said = done.stderr.decode()
    if done.returncode:
        said += f"dtc ends with {done.returncode}"
    return done.stdout, said.strip()


def check(dump, program, machine):
    tree = subprocess.run([dump, *machine], capture_output=True,
                          check=True).stdout
    source, said = dtc(program, "dtb", "dts", tree)
    if said:
        return said
    # Decompiled source has numbers for references, which is worth a warning.
    binary = dtc(program, "dts", "dtb", source)[0]
    again, said = dtc(program, "dtb", "dts", binary)
    return said or ("" if again == source else "the tree came back changed")


def main():
    dump, program = sys.argv[1:]
    results = asserted.Results()
    for machine in MACHINES:
        said = check(dump, program, machine)
        results.add(not said, " ".join(["xlen, harts:", *machine]),
                    said.splitlines())
    return results.done()


if __name__ == "__main__":
    sys.exit(main())
