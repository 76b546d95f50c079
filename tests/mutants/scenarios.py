#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Does each scenario of event-based branches fail by a mutant of its rule?

usage: scenarios.py BUILD [WORD...]    BUILD: of a copy of the tree, which it
                                       changes and puts back

Each line of scenarios.tsv is a mutant: a text that stands once in a file, what
it becomes, and the scenario's own test, which must fail by it. With words, only
of scenarios that have one of them in their name.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 120  # seconds: a guest that never ends has failed, too
MACHINE = ["daemon/machine/pmud-machine", "daemon/pmud", "cli/pmuctl"]


def rows():
    for line in (HERE / "scenarios.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, file, old, new, test = line.split("\t")
            yield name, file, *(t.replace("\\n", "\n").replace("\\t", "\t")
                                for t in (old, new)), test


class Tree:
    """A build, and the sources that it is of."""

    def __init__(self, build):
        self.build = pathlib.Path(build).resolve()
        said = subprocess.run(
            ["meson", "introspect", "--projectinfo", "--tests", "-f",
             str(self.build)], capture_output=True, text=True, check=True)
        said = json.loads(said.stdout)
        self.tests = {t["name"]: t for t in said["tests"]}
        ninja = (self.build / "build.ninja").read_text()
        self.top = self.build / re.search(
            r" ((?:\.\./)+)meson\.build", ninja)[1]

    def make(self, *targets):
        done = subprocess.run(["ninja", "-C", str(self.build), *targets],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stdout[-2000:])

    def run(self, args, env=None):
        """Return what it printed, all of it or what came in time."""
        try:
            return subprocess.run(
                args, cwd=self.build, text=True, check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=PATIENCE,
                env=dict(os.environ) | (env or {})).stdout
        except subprocess.TimeoutExpired as e:
            return (e.stdout or b"").decode(errors="replace")

    def guest(self, name):
        """True if the guest says ok to what the test is named after."""
        elf = "guests/ebb/ebb-rv64.elf"
        self.make(*MACHINE, elf)
        said = self.run([self.build / "cli/pmuctl", "run", "--set",
                         "xpmuebb=on", "--max-insns", "200M", elf],
                        {"PMUD_ADDRESS": "private"})
        return re.search(rf"^ok \d+ - {re.escape(name)}$", said, re.M)

    def test(self, name, part):
        """True if no result with the part in it has failed, and one is there.
        """
        t = self.tests[name]
        mine = [os.path.relpath(self.build / w, self.build) for w in t["cmd"]
                if not w.startswith("-")]
        self.make(*(w for w in mine if not w.startswith("..") and w not in
                    MACHINE),
                  *([] if len(mine) == 1 else MACHINE),
                  *(["tests/e2e/ebb-tally", "client/ebb-handler"]
                    if name == "client-callback" else []))
        said = self.run(t["cmd"], {"TESTS_ONLY": "test_" + part})
        part = part.replace("_", "[_ ]")
        return re.search(rf"^ok .*{part}", said, re.M) and \
            not re.search(rf"^not ok .*{part}", said, re.M)

    def passes(self, test):
        kind, name = test.split(": ")
        return self.guest(name) if kind == "guest" else self.test(kind, name)

    def mutant(self, file, old, new, test):
        """Return whether the test fails by it."""
        path = self.top / file
        text = path.read_text()
        if text.count(old) != 1:
            raise RuntimeError(f"{file}: {text.count(old)} times: {old}")
        path.write_text(text.replace(old, new))
        try:
            return not self.passes(test)
        finally:
            path.write_text(text)


def main():
    tree, words, failed, good = Tree(sys.argv[1]), sys.argv[2:], 0, set()
    for name, file, old, new, test in rows():
        if words and not any(w in name for w in words):
            continue
        try:
            if test not in good and not tree.passes(test):
                verdict = "FAILS WITHOUT IT"
            else:
                good.add(test)
                verdict = "ok" if tree.mutant(file, old, new, test) \
                    else "SURVIVES"
        except RuntimeError as e:
            verdict = f"IS NONE: {e}"
        failed += verdict != "ok"
        print(f"{verdict}: {name}: {file} ({test})", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
