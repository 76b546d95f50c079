#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""docs/TUTORIAL.md, as far as it needs no Linux: parts 2 and 3, and of part 4
what comes before the kernel. tests/linux/test-linux-tutorial.py has the rest.
"""
import pathlib
import sys

import bench
from bench import daemon, holds
from tutorial import Reader, is_the_texts_compiler


def test_an_overflow_comes_where_the_tutorial_wants_it():
    is_the_texts_compiler()
    with daemon() as d:
        Reader(d).follow(2)


def test_the_tutorials_program_handles_its_own_overflows():
    is_the_texts_compiler()
    with daemon() as d:
        Reader(d).follow(3)


def bare(command):
    return "guest" in command


def test_the_tutorials_profile_is_a_page():
    with daemon() as d:
        Reader(d).follow(4, bare)
        page = pathlib.Path(d.runtime, "overflow.html").read_text()
        holds("sieve" in page, page[:1000])


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
