#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What set-up asks for: tests' tools for tests alone, and nothing twice.

usage: test-setup.py SOURCE-DIRECTORY

scripts/setup and scripts/demo run in a copy of what they read. Whatever they
ask anything of is played, and writes the words that it was asked to a log.
meson is asked with that part of meson.build that leaves tests out.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import checks

TOP = pathlib.Path(sys.argv[1]).resolve()
LOG = 'printf "%s\\n" "${0##*/} $*" >>"$LOG"\n'
LOCKED = ("client/examples/typescript", "tests/e2e/speedscope")
COPIED = ("scripts/setup", "scripts/lib.sh",
          *(f"{folder}/{name}" for folder in LOCKED
            for name in ("package.json", "package-lock.json")))

# A machine with nothing but what there is to ask. What was installed is
# installed, which the log says.
PLAYED = {
    "bin/dpkg-query": 'grep -Eq "^apt-get install .* ${!#}( |$)" "$LOG" && '
                      "printf installed",
    "bin/apt-get": "exit 0",
    "bin/apt-cache": '[ "$1" = madison ] || exit 0\necho "$2 | 1 | here"',
    "bin/pkg-config": "exit 1",
    # not as root: what follows --
    "bin/sudo": 'shift\nexec "$@"',
    # buf@VERSION is the last word
    "bin/npm": 'last=${!#} buf=node_modules/.bin/buf\nmkdir -p "${buf%/*}"\n'
               'printf "#!/bin/sh\\necho ${last##*@}\\n" >"$buf"\n'
               'chmod +x "$buf"',
    "scripts/setup-unicorn": "exit 0",
    "scripts/setup-qemu": "exit 0",
    "scripts/setup-cachegrind": "exit 0",
    "scripts/setup-opensbi": '[ "$*" = "sid 1.9" ]',
    "scripts/setup-u-boot": '[ "$*" = bookworm ]',
    "tests/linux/payload": "echo /a/kernel",
}
# What is for tests only, beside their packages.
# Which no demo may wait for: they are most of the disk that tests take.
HEAVY = re.compile("npm|nodejs|picolibc|gcc-riscv64-linux-gnu|valgrind|clang|"
                   "qemu|chromium|golang")
FOR_TESTS = {"npm", "setup-qemu", "setup-cachegrind", "setup-opensbi",
             "setup-u-boot", "payload"}


class Copy:
    """A folder that has what scripts read, and the rest played."""

    def __init__(self, folder, copied, played):
        self.top, self.log = pathlib.Path(folder), pathlib.Path(folder, "log")
        for name in copied:
            path = self.top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / name, path)
        for name, text in played.items():
            checks.play(self.top / name, LOG + text)

    def run(self, *command):
        """Return the exit status, the words that were asked, all that was said.
        """
        self.log.touch()
        before = len(self.log.read_text())
        done = subprocess.run(
            [self.top / command[0], *command[1:]], check=False, text=True,
            env={"PATH": f"{self.top}/bin:{os.environ['PATH']}",
                 "LOG": str(self.log)},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        asked = self.log.read_text()[before:].splitlines()
        return done.returncode, asked, done.stdout


def packages(name):
    """One of the lists in scripts/setup, of a choice the first."""
    text = (TOP / "scripts/setup").read_text()
    text = re.search(rf"^{name}=\((.*?)^\)", text, re.M | re.S)[1]
    words = re.sub("#.*", "", text).replace("'", "").split()
    return {word.split("|")[0] for word in words}


def installed(asked):
    """The packages that apt-get was to install."""
    return {word for line in asked if line.startswith("apt-get install ")
            for word in line.split()[2:] if not word.startswith("-")}


def programs(asked):
    return {line.split()[0] for line in asked}


def check_setup(option):
    """The lists and what else is asked; and again, when all is there."""
    want = packages("build_packages")
    if not option:
        want |= packages("test_packages")
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder, COPIED, PLAYED)
        first, again = (copy.run("scripts/setup", *option) for _ in range(2))
    code, asked, _ = first
    good = code == 0 and installed(asked) == want and \
        FOR_TESTS & programs(asked) == (set() if option else FOR_TESTS)
    code, asked, _ = again
    good = good and code == 0 and not {"apt-get", "npm", "sudo"} & \
        programs(asked)
    return good, (first, again)


def check_light(_):
    """What only tests need is in their list, not in that of the demo."""
    heavy = [p for p in packages("build_packages") if HEAVY.match(p)]
    tests = {HEAVY.match(p)[0] for p in packages("test_packages")
             if HEAVY.match(p)}
    return not heavy and len(tests) > 3, (heavy, tests)


def check_unlucky(row):
    """What fails for want of an archive is said, and all else done."""
    played, words = row
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder, COPIED, PLAYED | played)
        code, asked, said = copy.run("scripts/setup")
    want = packages("build_packages") | packages("test_packages")
    good = code == 0 and installed(asked) == want and \
        FOR_TESTS <= programs(asked)
    return good and said.count("will be skipped") == len(words) and \
        all(w in said for w in words), said


def check_late_lists(_):
    played = PLAYED | {"bin/apt-get": '[ "$1" != update ]'}
    with tempfile.TemporaryDirectory() as folder:
        code, _, said = Copy(folder, COPIED, played).run("scripts/setup")
    return code == 0 and "some lists are not new" in said, said


def check_demo(_):
    """Set-up is to bring what builds and runs, no more."""
    steps = {"scripts/setup": "", "scripts/build": "", "scripts/demo-run": ""}
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(folder, ("scripts/demo", "scripts/lib.sh"), steps)
        got = copy.run("scripts/demo", "--x", "a b")
    want = ["setup --no-tests", f"build {folder}/build", "demo-run --x a b"]
    return got[:2] == (0, want), got


# -Dtests=, whether valgrind is found, meson's exit status, what it says
CONFIGURED = [
    ("the build leaves tests out that lack a tool, and says which",
     "auto", False, 0, "LEFT OUT, missing: valgrind (scripts/setup)"),
    ("it has them where nothing lacks", "auto", True, 0, "played: tests"),
    ("it fails where they are wanted", "enabled", False, 1,
     "'valgrind' not found"),
]


def path_without(program, folder):
    """PATH, its folders that have the program as folders of links to the rest.
    """
    found = []
    for number, name in enumerate(os.environ["PATH"].split(":")):
        if os.path.exists(f"{name}/{program}"):
            links = f"{folder}/{number}"
            os.mkdir(links)
            for other in set(os.listdir(name)) - {program}:
                os.symlink(f"{name}/{other}", f"{links}/{other}")
            name = links
        found.append(name)
    return ":".join(found)


def check_configured(row):
    """The part of meson.build that asks for tools, as a project of its own."""
    _, option, there, status, said = row
    text = (TOP / "meson.build").read_text()
    part = re.search(r"^tests_option = .*?(?=^subdir\()", text, re.M | re.S)[0]
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder)
        shutil.copy(TOP / "meson_options.txt", top)
        (top / "meson.build").write_text(
            "project('played')\n" + part +
            "message('played:', with_tests ? 'tests' : 'none')\n")
        env = dict(os.environ)
        if not there:
            env["PATH"] = path_without("valgrind", folder)
        done = subprocess.run(
            ["meson", "setup", f"-Dtests={option}", top / "build", top],
            check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=env)
    good = done.returncode == status and said in done.stdout and \
        ("played: tests" in done.stdout) == there
    return good, done.stdout


CHECKS = [
    ("without tests only what builds is asked for, and once", check_setup,
     ["--no-tests"]),
    ("with tests their packages, npm, QEMU and Linux, and once", check_setup,
     []),
    ("the demo waits for nothing that only tests need", check_light, None),
    ("without an archive for Linux the rest is set up", check_unlucky,
     ({"tests/linux/payload": "exit 1"},
      ["linux: not to be had now (see above): its tests will be skipped"])),
    ("and without one of sources", check_unlucky,
     ({"scripts/setup-cachegrind": "exit 1"},
      ["cachegrind: not to be had now (see above): its test will be "
       "skipped"])),
    ("and without those of other releases", check_unlucky,
     ({"scripts/setup-opensbi": "exit 1", "scripts/setup-u-boot": "exit 1"},
      ["opensbi 1.9: not to be had now (see above): what compares with it "
       "will be skipped",
       "u-boot: not to be had now (see above): its test will be skipped"])),
    ("with lists that are not all new, too", check_late_lists, None),
    ("the demo is set up without tests", check_demo, None),
    *((row[0], check_configured, row) for row in CONFIGURED),
]


if __name__ == "__main__":
    checks.main(CHECKS)
