#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""docs/TUTORIAL.md with Linux: each command of parts 1 and 4, and that what it
prints is what stands there, to the last figure.

What takes minutes, a boot with a timing model, only where PMU_TUTORIAL_SLOW is
set in the environment.
"""
import os
import pathlib
import subprocess
import sys

import linux
from linux import holds

import bench  # found by linux
from bench import daemon
from tutorial import Reader, is_the_texts_compiler

# What the text's figures are of.
PACKAGES = {"linux-image-6.12.117+deb13-riscv64": "6.12.117-1",
            "linux-perf": "6.12.117-1", "busybox-static": "1:1.37.0-6+b9"}
CROSS = "12"  # the compiler of pmutest


def is_the_texts_linux():
    is_the_texts_compiler()
    kernel = pathlib.Path(linux.payload("kernel"))
    lines = (kernel.parent / "versions").read_text().splitlines()
    there = dict(line.split("\t") for line in lines)
    for name, version in PACKAGES.items():
        if there.get(name) != version:
            raise bench.Skipped(f"the text is of {name} {version}")
    done = subprocess.run(["riscv64-linux-gnu-gcc", "-dumpversion"],
                          check=True, capture_output=True, text=True)
    if done.stdout.strip().split(".")[0] != CROSS:
        raise bench.Skipped(f"the text's pmutest is of gcc {CROSS}")


def is_quick(command):
    return "timing=inorder" not in command or \
        "PMU_TUTORIAL_SLOW" in os.environ


def test_linux_and_perf_print_what_the_tutorial_shows():
    is_the_texts_linux()
    with daemon() as d:
        Reader(d).follow(1, is_quick)


def test_a_boots_profile_is_a_page():
    """Machines have numbers from the daemon's start on, as in the text."""
    is_the_texts_linux()
    with daemon() as d:
        reader = Reader(d)
        reader.follow(1, lambda command: "tests/linux/payload" in command)
        for number in (2, 3, 4):
            reader.follow(number)
        page = pathlib.Path(d.runtime, "boot.html").read_text()
        for name in ("w_branch", "pmutest", "start_kernel"):
            holds(name in page, name)


if __name__ == "__main__":
    linux.payload("slim")
    sys.exit(linux.bench.main(dict(globals())))
