#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""systemd takes the units, finds them tight, and makes what pmud needs.

The system's unit leaves memory to pmud beside what its machines may have.

usage: systemd.py SOURCE-DIRECTORY BUILD-DIRECTORY

The units are the configured ones, with the program's path replaced by that of
one that is there, since verify looks for it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import common

BUILD = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
MOST_EXPOSED = "20"		# tenths; a unit with no hardening has 96
# what machines get of the system's memory, where --memory does not say it
SHARE = re.compile(r"system_memory\(\) / (\d+) \* (\d+)")
UNITS = ("pmud.service", "pmud.socket")


def run(*command, cwd=None):
    env = dict(os.environ, SYSTEMD_PAGER="", SYSTEMD_COLORS="0",
               XDG_RUNTIME_DIR=str(cwd or ""))
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True,
                          text=True)
    # verify reports an unknown setting, but does not fail for it
    bad = done.returncode or ("verify" in command and done.stderr.strip())
    said = (done.stderr + done.stdout).strip()
    return (said.splitlines()[-4:] or ["failed"]) if bad else []


def stand_in(unit):
    """Return a unit's text with a program that exists."""
    return re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", unit,
                  flags=re.M)


def verify(root, manager):
    paths = [root / manager / unit for unit in UNITS]
    return run("systemd-analyze", f"--{manager}", "verify", "--man=no",
               *map(str, paths), cwd=root)


def exposure(root):
    return run("systemd-analyze", "security", "--offline=true", "--no-pager",
               f"--threshold={MOST_EXPOSED}",
               str(root / "system/pmud.service"), cwd=root)


def memory(root):
    """Beside all its machines pmud has room of its own, and not for ever."""
    config = pathlib.Path(sys.argv[1]) / "daemon/server/pmud-config.c"
    parts = SHARE.search(config.read_text())
    unit = (root / "system/pmud.service").read_text()
    most = re.search(r"^MemoryMax=(\d+)%$", unit, re.M)
    if not parts or not most:
        return ["no MemoryMax= in percent, or --memory has no known default"]
    share = 100 * int(parts[2]) // int(parts[1])
    if not share < int(most[1]) < 100:
        return [f"{most[0]} is not between {share}%, the machines', and all"]
    return []


def creation(root):
    """Return what is missing after sysusers and tmpfiles ran in a root."""
    made = root / "made"
    (made / "etc").mkdir(parents=True)
    found = run("systemd-sysusers", f"--root={made}",
                str(root / "pmud.sysusers.conf"), cwd=root)
    if not re.search("^pmud:", (made / "etc/passwd").read_text(), re.M):
        found.append("sysusers made no user pmud")
    conf = root / "pmud.tmpfiles.conf"
    if os.getuid():             # who cannot give a directory away
        own = f" {os.getuid()} {os.getgid()} "
        conf.write_text(conf.read_text().replace(" pmud pmud ", own))
    found += run("systemd-tmpfiles", f"--root={made}", "--create", str(conf),
                 cwd=root)
    if not (made / "run/pmud").is_dir():
        found.append("tmpfiles made no /run/pmud")
    return found


def check(root):
    return verify(root, "system") + verify(root, "user") + exposure(root) + \
        memory(root) + creation(root)


def collect(directory):
    """Copy the configured units and the rest to one directory."""
    for manager in ("system", "user"):
        (directory / manager).mkdir()
        for unit in common.looked_at(UNITS):
            text = (BUILD / f"systemd/{manager}-{unit}").read_text()
            (directory / manager / unit).write_text(stand_in(text))
    for name in ("pmud.sysusers.conf", "pmud.tmpfiles.conf"):
        source = pathlib.Path(sys.argv[1]) / "systemd" / name
        (directory / name).write_text(source.read_text())


def check_tree(_):
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        collect(directory)
        return check(directory)


def changed(old, new):
    """Return a check of the tree's units with one thing changed in them."""
    def run_changed(directory):
        collect(directory)
        for path in directory.rglob("pmud.*"):
            path.write_text(path.read_text().replace(old, new))
        return check(directory)
    return run_changed


# A sample's tree is one file that says what to change in the real units.
CHANGES = [
    ("an unknown setting", "NotifyAccess", "NotifyExcess", "NotifyExcess"),
    ("a program that is not there", sys.executable, "/nowhere/pmud",
     "/nowhere/pmud"),
    ("no hardening of calls", "SystemCall", "X-SystemCall", "exposure"),
    ("memory without an end", "MemoryMax", "X-MemoryMax", "no MemoryMax="),
    ("no memory beside the machines'", "MemoryMax=85%", "MemoryMax=75%",
     "is not between"),
    ("a user of another name", "u pmud", "u other", "no user pmud"),
]


def check_sample(root):
    number = int((root / "change").read_text())
    return changed(*CHANGES[number][1:3])(root)


if __name__ == "__main__":
    samples = [(why, {"change": str(n)}, wanted)
               for n, (why, _, _, wanted) in enumerate(CHANGES)]
    common.main(lambda root: check_sample(root)
                if (root / "change").exists() else check_tree(root), samples)
