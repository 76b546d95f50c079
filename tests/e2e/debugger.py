# SPDX-License-Identifier: BSD-2-Clause
"""The real debugger on machines: whole sessions, and what they tell."""
import json
import subprocess

import bench
from bench import LONG, PMUCTL, holds

GDB = "gdb-multiarch"


def quoted(*words):
    return " ".join("'" + str(w).replace("'", "'\\''") + "'" for w in words)


def gdb(target, *commands, symbols=None, env=None):
    """A debugger's whole session at @target; what it printed."""
    lines = ["set pagination off", "set confirm off", "set width 0",
             "set python print-stack full",
             "set remotetimeout 60",  # a busy host makes a machine late
             f"target remote {target}",
             *commands]
    args = [GDB, "-nx", "-q", "-batch"]
    for line in lines:
        args += ["-ex", line]
    done = subprocess.run([*args, *([symbols] if symbols else [])],
                          capture_output=True, timeout=LONG, check=False,
                          stdin=subprocess.DEVNULL,
                          env=env or bench.environment())
    result = bench.Done(["gdb", *commands], done.returncode, done.stdout,
                        done.stderr)
    holds(done.returncode in (0, 1), result)
    return result


def stub(*args):
    return "| " + quoted(PMUCTL, "gdb", "--stdio", *args)


def values(done, name):
    """What `python tell("name", ...)` printed."""
    for line in done.text().splitlines():
        if line.startswith(f"{name}="):
            return json.loads(line.split("=", 1)[1])
    raise AssertionError(f"no {name}\n{done}")


def tell(name, expression):
    return f"python import json; print('{name}=' + json.dumps({expression}))"


def evaluate(names):
    return ("{n: int(gdb.parse_and_eval('(unsigned long)$' + n)) for n in "
            f"{sorted(names)!r}}}")


def functions(path, base, found):
    """Write an ELF file that names code: pairs of address and name from @base.

    It has symbols and no code, as separate files of debug information do.
    """
    lines, seen = ['\t.section .code, "ax", @nobits'], set()
    for address, name in sorted(found):
        if address >= base and name not in seen:
            seen.add(name)
            lines += [f"\t.org {address - base}", f"\t.globl {name}",
                      f"\t.type {name}, @function", f"{name}:"]
    source = path.with_suffix(".S")
    source.write_text("\n".join([*lines, "\t.skip 4096\n"]))
    subprocess.run(["riscv64-unknown-elf-gcc", "-nostdlib", "-mcmodel=medany",
                    f"-Wl,--section-start=.code={base:#x},-e,{base}",
                    source, "-o", path], check=True)
    return path
