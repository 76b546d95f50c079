#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/compare-reference: which explanation holds for which version, and
that a difference without one fails.

usage: test-compare.py SOURCE-DIRECTORY

What is compared is played: a pmuctl and a QEMU that print what they are given.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import checks

TOP = pathlib.Path(sys.argv[1]).resolve()
SCRIPT = TOP / "scripts/compare-reference"

# a condition, version of QEMU, of OpenSBI, ISA, whether it holds
HOLDS = [
    ("qemu>=10.0.11", (10, 0, 2), (1, 1), "rv64", False),
    ("qemu>=10.0.11", (10, 0, 11), (1, 1), "rv64", True),
    ("qemu>=10.0.11", (10, 0, 13), (1, 1), "rv64", True),
    ("qemu>=10.0.11", (9, 2), (1, 1), "rv64", False),
    ("qemu>=10.0.11", (10, 1, 0), (1, 1), "rv64", True),
    ("qemu<10.0.11", (10, 0, 2), (1, 1), "rv64", True),
    ("qemu<10.0.11", (10, 0, 13), (1, 1), "rv64", False),
    ("qemu<9", (7, 2, 22), (1, 1), "rv64", True),
    ("qemu<9", (9, 0, 0), (1, 1), "rv64", False),
    ("opensbi<1.9", (9, 2), (1, 8), "rv64", True),
    ("opensbi<1.9", (9, 2), (1, 10), "rv64", False),
    ("opensbi>=1.9", (1, 0), (1, 9), "rv64", True),
    ("rv32", (9, 2), (1, 1), "rv32", True),
    ("rv32", (9, 2), (1, 1), "rv64", False),
    ("rv64", (9, 2), (1, 1), "rv64", True),
    ("always", (9, 2), (1, 1), "rv32", True),
]

# why, a line of the explanations, QEMU's version and answer (ours is 5), the
# exit status, what must be said
RUNS = [
    ("the same answers want no explanation", "", "10.0.13", "0 5", 0,
     "the reference from ours in 0, 0 not explained"),
    ("a difference without an explanation fails", "", "10.0.13", "0 6", 1,
     "from ours in 1, 1 not explained"),
    ("one of another check explains nothing",
     "always | x: b | C1 | it is so\n", "10.0.13", "0 6", 1,
     "6          NOT EXPLAINED"),
    ("one of this check does", "always | x: * | C1 | it is so\n", "10.0.13",
     "0 6", 0, "it is so [C1]"),
    ("all its conditions must hold", "rv32 always | x: a | C1 | it is so\n",
     "10.0.13", "0 6", 1, "1 not explained"),
    ("a version is what QEMU says of itself",
     "rv64 qemu>=10.0.11 | x: a | C1 | it is so\n", "10.0.13 (Debian 1:10)",
     "0 6", 0, "QEMU 10.0.13, OpenSBI 1.6"),
    ("and an older third number is another one",
     "rv64 qemu>=10.0.11 | x: a | C1 | it is so\n", "10.0.2 (Debian 1:10)",
     "0 6", 1, "1 not explained"),
    ("a condition of another form is none", "qemu=10 | x: a | C1 | no\n",
     "10.0.13", "0 6", 1, "'qemu=10' is no condition"),
    ("a rule that is not there is refused", "always | x: a | C0 | no\n",
     "10.0.13", "0 5", 1, "there is no rule 'C0'"),
    ("a guest without a check is none", "", "10.0.13", None, 1, "exit 0"),
]

ANSWERS = """\
# firmware 0x1 0x10006
# shows C1
ok 1 - x: a
# = {}
1..1
"""


def prints(answer):
    text = "1..0\n" if answer is None else ANSWERS.format(answer)
    return f"cat <<'END'\n{text}END"


def check_run(row):
    _, known, version, answer, status, said = row
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        for name in ("scripts", "tests", "guests/conformance"):
            (top / name).mkdir(parents=True)
        shutil.copy(SCRIPT, top / "scripts")
        shutil.copytree(TOP / "tests/rules", top / "tests/rules")
        (top / "guests/conformance/reference.txt").write_text(known)
        checks.play(top / "cli/pmuctl", prints(answer and "0 5"))
        for bits in ("64", "32"):
            checks.play(top / f"bin/qemu-system-riscv{bits}",
                        "[ \"$1\" != --version ] || exec echo 'QEMU emulator "
                        f"version {version}'\n" +
                        prints(answer))
        firmware = top / "usr/lib/riscv64-linux-gnu/opensbi/generic"
        firmware.mkdir(parents=True)
        (firmware / "fw_dynamic.bin").touch()
        done = subprocess.run(
            [sys.executable, "-B", top / "scripts" / SCRIPT.name,
             "--build", top, "--opensbi", top], check=False, text=True,
            env={"PATH": f"{folder}/bin:{os.environ['PATH']}"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == status and said in done.stdout, done.stdout


def known():
    """The class that reads the explanations, of a script without .py."""
    loader = importlib.machinery.SourceFileLoader("compared", str(SCRIPT))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module.Known


def check_holds(row):
    condition, qemu, opensbi, isa, want = row
    facts = {"qemu": qemu, "opensbi": opensbi, "isa": isa}
    got = known().holds(condition, facts)
    return got == want, got


def name_of(row):
    condition, qemu, opensbi, isa, want = row
    versions = [".".join(map(str, v)) for v in (qemu, opensbi)]
    return (f"{condition} {'holds' if want else 'does not hold'} for "
            f"{isa}, QEMU {versions[0]}, OpenSBI {versions[1]}")


CHECKS = [(name_of(row), check_holds, row) for row in HOLDS] + \
    [(row[0], check_run, row) for row in RUNS]


if __name__ == "__main__":
    checks.main(CHECKS)
