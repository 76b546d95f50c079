#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""docs/TUTORIAL.md: its commands, and that their output is what stands there.

Of parts 2 and 3, which need no Linux. Where a command has no output in the text,
it has to succeed; "..." stands for any lines.
"""
import pathlib
import re
import subprocess
import sys

import bench
from bench import PMUCTL, SOURCE, WORK, daemon, holds, same

BUILD = pathlib.Path(PMUCTL).parent.parent
# Addresses and cycles of the text are those of a guest by this compiler
COMPILER = "12.2.0"


def part(number):
    """Commands of a part, and what the text has behind each."""
    text = pathlib.Path(SOURCE, "docs/TUTORIAL.md").read_text()
    text = re.search(rf"^## {number}\. .*?(?=^## |\Z)", text, re.M | re.S)[0]
    for block in re.findall(r"^```\n(.*?)^```$", text, re.M | re.S):
        for entry in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = entry.partition("\n")
            yield command, output.splitlines()


def ran(d, command):
    """What a shell prints where the text has its commands typed."""
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=d.runtime, env=d.env(),
        stdin=subprocess.DEVNULL, capture_output=True, timeout=bench.LONG)
    same(done.returncode, 0, f"{command}\n{done.stderr.decode()}")
    return done.stdout.decode().splitlines()


def is_said(lines, wanted, command):
    """Each line in its turn; after "..." the next may come later."""
    at, skips = 0, False
    for want in wanted:
        if want == "...":
            skips = True
            continue
        if skips:
            holds(want in lines[at:], (command, want, lines))
            at += lines[at:].index(want)
        same(lines[at] if at < len(lines) else None, want, command)
        at, skips = at + 1, False
    holds(skips or at == len(lines), (command, lines[at:]))


def follow(number):
    commands = list(part(number))
    holds(len(commands) > 1, commands)
    with daemon() as d:
        pathlib.Path(d.runtime, "build").symlink_to(BUILD)
        for command, wanted in commands:
            if command == "build/daemon/pmud &":
                continue  # it is there
            lines = ran(d, command)
            if wanted:
                is_said(lines, wanted, command)


def is_the_texts_compiler():
    done = subprocess.run(["riscv64-unknown-elf-gcc", "-dumpversion"],
                          check=True, capture_output=True)
    if done.stdout.decode().strip() != COMPILER:
        raise bench.Skipped(f"the text is of gcc {COMPILER}")


def test_an_overflow_comes_where_the_tutorial_wants_it():
    is_the_texts_compiler()
    follow(2)


def test_the_tutorials_program_handles_its_own_overflows():
    is_the_texts_compiler()
    follow(3)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
