#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A package is found although one name of its suite has lists that disagree.

usage: test-apt-lists.py SOURCE-DIRECTORY

The archive is a folder here and apt is the machine's own. A mirror between two
updates is played by an index that is not the one that its Release promises.
"""
import hashlib
import pathlib
import subprocess
import sys
import tempfile

import checks

TOP = pathlib.Path(sys.argv[1]).resolve()
INDEX = """\
Package: thing
Version: 1
Architecture: riscv64
Filename: pool/thing.deb
Size: 1
SHA256: {0}

""".format("0" * 64)

# Says what is found, or why nothing is. Root's rights are not needed.
ASK = """\
set -euo pipefail
. "$0/scripts/lib.sh"
. "$0/scripts/lib-apt.sh"
private_apt "$1" "$2"
foreign_apt "$1" riscv64
update_lists "$1" "$2"
apt-cache madison thing
"""
# Stands for the one that reads the machine's sources.
SOURCE = """\
import pathlib, sys
archive = pathlib.Path(sys.argv[0]).parents[1] / "archive"
print(f"deb [trusted=yes] file:{archive} {sys.argv[1]} main")
"""


def publish(archive, name, codename, whole):
    """Make a suite of one package, under a name."""
    index = archive / "dists" / name / "main/binary-riscv64/Packages"
    index.parent.mkdir(parents=True)
    promised = INDEX if whole else INDEX + "\n"
    index.write_text(INDEX)
    (archive / "dists" / name / "Release").write_text(
        f"Suite: {name}\nCodename: {codename}\n"
        "Date: Sat, 01 Aug 2026 00:00:00 UTC\n"
        "Architectures: riscv64\nComponents: main\nSHA256:\n"
        f" {hashlib.sha256(promised.encode()).hexdigest()} {len(promised)}"
        " main/binary-riscv64/Packages\n")


def check(row):
    """Ask for a suite of an archive that has some names."""
    names, suite, want = row
    with tempfile.TemporaryDirectory() as folder:
        top = pathlib.Path(folder, "tree")
        (top / "scripts").mkdir(parents=True)
        for name in ("lib.sh", "lib-apt.sh"):
            (top / "scripts" / name).write_text(
                (TOP / "scripts" / name).read_text())
        (top / "scripts/apt-source.py").write_text(SOURCE)
        for name in names:
            publish(top / "archive", *name)
        work = pathlib.Path(folder, "work")
        work.mkdir()
        done = subprocess.run(["bash", "-c", ASK, top, work, suite],
                              check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    last = done.stdout.splitlines()[-1:]
    if want is None:
        good = done.returncode == 1 and \
            "no lists of " + suite in done.stdout
    else:
        good = done.returncode == 0 and last and \
            "thing |" in last[0] and f" {want}/main " in last[0]
    return good, done.stdout


# The archive's names (of which suite, whether whole), what is asked for, the
# name it is found by.
CHECKS = [
    ("a suite whose lists agree is asked for by its own name", check,
     ([("trixie", "trixie", True), ("stable", "trixie", True)], "trixie",
      "trixie")),
    ("where they do not, by another name of the same suite", check,
     ([("trixie", "trixie", False), ("stable", "trixie", True)], "trixie",
      "stable")),
    ("and not by a name that means another", check,
     ([("bookworm", "bookworm", False), ("stable", "trixie", True),
       ("oldstable", "bookworm", True)], "bookworm", "oldstable")),
    ("unstable is a name of sid", check,
     ([("sid", "sid", False), ("unstable", "sid", True)], "sid", "unstable")),
    ("what stands behind the release stays", check,
     ([("trixie-backports", "trixie-backports", False),
       ("stable-backports", "trixie-backports", True)], "trixie-backports",
      "stable-backports")),
    ("without any it ends and says so", check,
     ([("trixie", "trixie", False), ("stable", "forky", True)], "trixie",
      None)),
]

checks.main(CHECKS)
