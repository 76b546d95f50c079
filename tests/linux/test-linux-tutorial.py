#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""docs/TUTORIAL.md with Linux: each command of parts 1 and 4, and that what it
prints is what stands there, to the last figure. With other versions of kernel,
perf or compilers than the text's the commands must succeed, and their lines of
words be there.

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


def other_versions():
    """Yield what of the text's versions is not here."""
    kernel = pathlib.Path(linux.payload("kernel"))
    lines = (kernel.parent / "versions").read_text().splitlines()
    there = dict(line.split("\t") for line in lines)
    for name, version in PACKAGES.items():
        if there.get(name) != version:
            yield f"{name} {version}"
    done = subprocess.run(["riscv64-linux-gnu-gcc", "-dumpversion"],
                          check=True, capture_output=True, text=True)
    if done.stdout.strip().split(".")[0] != CROSS:
        yield f"pmutest by gcc {CROSS}"
    try:
        is_the_texts_compiler()
    except bench.Skipped as why:
        yield str(why)


def reader(d):
    others = list(other_versions())
    if others:
        print(f"# no figures are compared: the text is of {others}")
    return Reader(d, figures=not others)


def is_quick(command):
    return "timing=inorder" not in command or \
        "PMU_TUTORIAL_SLOW" in os.environ


def test_linux_and_perf_print_what_the_tutorial_shows():
    with daemon() as d:
        reader(d).follow(1, is_quick)


def test_a_boots_profile_is_a_page():
    """Machines have numbers from the daemon's start on, as in the text."""
    with daemon() as d:
        boot = reader(d)
        boot.follow(1, lambda command: "tests/linux/payload" in command)
        for number in (2, 3, 4):
            boot.follow(number)
        page = pathlib.Path(d.runtime, "boot.html").read_text()
        for name in ("w_branch", "pmutest", "start_kernel"):
            holds(name in page, name)


if __name__ == "__main__":
    linux.payload("slim")
    sys.exit(linux.bench.main(dict(globals())))
