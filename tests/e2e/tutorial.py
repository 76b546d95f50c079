# SPDX-License-Identifier: BSD-2-Clause
"""docs/TUTORIAL.md as it is followed: its commands, and what stands there.

Where a command has no output in the text, it has to succeed; "..." stands for
any lines. What a file has is what `cat` of it shows, and output that stands on
its own is of the command before. Colours and spaces at an end are no output.
"""
import pathlib
import re
import subprocess

import bench
from bench import PMUCTL, SOURCE, holds, same

BUILD = pathlib.Path(PMUCTL).parent.parent
# Addresses and cycles of the text are those of a guest by this compiler
COMPILER = "12.2.0"
VARIABLE = re.compile(r"^\w+=\S")
CAT = re.compile(r"^cat (\S+)$")
TYPED = re.compile(r"^~ # (.+)$", re.M)
# What a UART has before its driver opens it is lost
UNREAD = 32 * "\n"
SLOW = 1800  # seconds: for what would hang otherwise


def part(number):
    """Yield [command, what the text has behind it] of a part."""
    text = pathlib.Path(SOURCE, "docs/TUTORIAL.md").read_text()
    text = re.search(rf"^## {number}\. .*?(?=^## |\Z)", text, re.M | re.S)[0]
    last = None
    for block in re.findall(r"^```\n(.*?)^```$", text, re.M | re.S):
        alone, *entries = re.split(r"^\$ ", block, flags=re.M)
        if alone and last:
            last[1] += ["...", *alone.splitlines(), "..."]
        for entry in entries:
            if last:
                yield last
            command = re.match(r"(?:.*\\\n)*.*\n", entry)[0]
            last = [command.strip(), entry[len(command):].splitlines()]
    yield last


def plain(text):
    return [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip()
            for line in text.replace("\r", "").splitlines()]


def is_said(lines, wanted, command):
    """Each line in its turn; after "..." the next may come later."""
    at, skips = 0, False
    for want in map(str.rstrip, wanted):
        if want == "...":
            skips = True
            continue
        if skips:
            holds(want in lines[at:], (command, want, lines[-200:]))
            at += lines[at:].index(want)
        same(lines[at] if at < len(lines) else None, want, command)
        at, skips = at + 1, False
    holds(skips or at == len(lines), (command, lines[at:]))


def shape(line):
    """A line as it is whatever the width of its columns."""
    return re.sub(r"\.+", "..", " ".join(line.split()))


def without_figures(wanted):
    """Of what the text has only the lines of words, with any others around."""
    words = [shape(line) for line in wanted
             if line.strip() and line != "..." and not re.search(r"\d", line)]
    return ["...", *(each for line in words for each in (line, "..."))]


class Reader:
    """Who types what stands there, at a shell where there is a daemon.

    Without @figures the text's are of other versions than are here.
    """

    def __init__(self, d, figures=True):
        self.d, self.variables, self.figures = d, [], figures
        for name, there in (("build", BUILD),
                            ("tests", pathlib.Path(SOURCE, "tests"))):
            pathlib.Path(d.runtime, name).symlink_to(there)

    def ran(self, command, typed=""):
        """What a shell prints where the text has its commands typed."""
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c",
             "\n".join([*self.variables, command])], cwd=self.d.runtime,
            env=self.d.env(), input=typed.encode(), capture_output=True,
            timeout=SLOW)
        same(done.returncode, 0, f"{command}\n{done.stderr.decode()}")
        return plain(done.stdout.decode(errors="replace"))

    def compare(self, lines, wanted, command):
        if self.figures:
            is_said(lines, wanted, command)
        else:
            is_said(list(map(shape, lines)), without_figures(wanted), command)

    def at_shell(self, command, wanted):
        """A command whose guest has a shell, at which the text types."""
        typed = [f"{line}\necho status $?\n"
                 for line in TYPED.findall("\n".join(wanted))]
        lines = self.ran(command, UNREAD + "".join(typed) + "poweroff -f\n")
        self.compare(lines, [*wanted, "..."], command)
        same(lines.count("status 0"), len(typed), lines[-50:])

    def follow(self, number, takes=lambda command: True):
        """Do what a part says, but for what @takes leaves out."""
        commands = [c for c in part(number) if takes(c[0])]
        holds(len(commands) > 1, commands)
        for command, wanted in commands:
            print(f"# {command.splitlines()[0]}", flush=True)
            file = CAT.match(command)
            if file:
                pathlib.Path(self.d.runtime, file[1]).write_text(
                    "\n".join([*wanted, ""]))
            elif VARIABLE.match(command):
                self.variables.append(command)
            elif TYPED.search("\n".join(wanted)):
                self.at_shell(command, wanted)
            elif command != "build/daemon/pmud &":  # it is there
                lines = self.ran(command)
                if wanted:
                    self.compare(lines, wanted, command)


def is_the_texts_compiler():
    done = subprocess.run(["riscv64-unknown-elf-gcc", "-dumpversion"],
                          check=True, capture_output=True)
    if done.stdout.decode().strip() != COMPILER:
        raise bench.Skipped(f"the text is of gcc {COMPILER}")
