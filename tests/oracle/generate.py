#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a random bare program, the same for the same seed.

usage: generate.py SEED XLEN > PROGRAM.S
"""
import sys

import paging
import steps_csr
import steps_insn
import steps_memory
from program import Program

STEPS = 40

# How often each kind of step comes.
KINDS = [
    (6, steps_csr.step_csr),
    (2, steps_csr.step_csr_number),
    (4, steps_csr.step_system),
    (6, steps_csr.step_interrupt),
    (2, steps_csr.step_wait),
    (1, steps_csr.step_timer),
    (10, steps_memory.step_paged),
    (4, steps_memory.step_bare),
    (2, steps_memory.step_smc),
    (2, steps_insn.step_plain),
    (4, steps_insn.step_float),
    (2, steps_insn.step_compressed),
    (2, steps_insn.step_count),
    (2, steps_insn.step_levels),
]


def generate(seed, xlen):
    """The program of a seed."""
    p = Program(seed, xlen)
    p.tables_of = paging.Tables(p)
    first = p.tables_of.text()
    p.tables = lambda: first
    weights = [weight for weight, _ in KINDS]
    kinds = [kind for _, kind in KINDS]
    for kind in p.random.choices(kinds, weights, k=STEPS):
        kind(p)
    return p


def main():
    """See the usage above."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(generate(int(sys.argv[1]), int(sys.argv[2])).source())


if __name__ == "__main__":
    main()
