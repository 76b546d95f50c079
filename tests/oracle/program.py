# SPDX-License-Identifier: BSD-2-Clause
"""One generated program: its random source, its text, its steps."""
import random

import known

MODES = {"U": 0, "S": 1, "M": 3}
FREE = [n for n in range(1, 20)] + [28, 29]

PAGES = 0x80100000      # data pages, see oracle.ld
N_DATA = 6              # written and read
N_PAGES = 8             # the rest is executed
TABLES = 0x80110000
N_TABLES = 14
USER_ALIAS = 0x40000000  # where U sees the code when it is paged

SNAPSHOT = ["mstatus", "mie", "mip", "mideleg", "medeleg", "mepc", "mcause",
            "mtval", "mscratch", "sstatus", "sie", "sip", "sepc", "scause",
            "stval", "sscratch", "mcounteren", "scounteren", "satp",
            "menvcfg", "senvcfg", "mcountinhibit", "mtvec", "stvec"]


class Program:
    """Text of a program for one ISA, from one seed."""

    def __init__(self, seed, xlen):
        self.random = random.Random(seed * 2 + (xlen == 32))
        self.seed, self.xlen = seed, xlen
        self.mask = (1 << xlen) - 1
        self.lines, self.notes = [], []
        self.labels = 0
        self.values = self.pool()

    # random choices

    def pick(self, *what):
        """One of them."""
        return self.random.choice(what)

    def chance(self, percent):
        """True so often."""
        return self.random.randrange(100) < percent

    def bits(self, n):
        """A random number of n bits."""
        return self.random.getrandbits(n)

    def pool(self):
        """Values on the edges of something."""
        some = [0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff,
                0x7fffffff, 0x80000000, 0xffffffff, self.mask,
                self.mask >> 1, 1 << (self.xlen - 1), self.mask - 1,
                0x55555555_55555555 & self.mask,
                0xaaaaaaaa_aaaaaaaa & self.mask]
        return some

    def value(self):
        """A register's value, likely one on an edge."""
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.choice(self.values)
        if kind == 1:
            return 1 << self.random.randrange(self.xlen)
        if kind == 2:
            return self.bits(self.xlen)
        return self.bits(self.random.randrange(1, self.xlen + 1))

    def reg(self):
        """A register that a step may use."""
        return self.random.choice(FREE)

    # text

    def emit(self, *lines):
        """Append lines of assembler."""
        self.lines += lines

    def li(self, reg, value):
        """Load a constant."""
        self.emit(f"li x{reg}, {value & self.mask:#x}")

    def csrw(self, csr, value, reg=5):
        """Write a CSR from M-mode code that prepares something."""
        self.li(reg, known.write(csr, value, self.xlen))
        self.emit(f"csrw {csr}, x{reg}")

    def label(self):
        """A new label."""
        self.labels += 1
        return f"l{self.labels}"

    def note(self, text):
        """Say for people what this step does."""
        self.notes[-1] += " " + text

    def step(self, name):
        """Begin a step."""
        n = len(self.notes)
        self.notes.append(name + ":")
        self.emit(f"step_{n}:", f"li x2, {n}", f"la x3, step_{n + 1}",
                  "jal x1, step_begin")

    def policy(self, skip):
        """What a trap does: 0 ends the step, 2 or 4 are skipped."""
        self.emit(f"li x5, {skip}", "sw x5, AREA_POLICY(x31)")

    def hash_pages(self):
        """Data pages and page tables belong to what is recorded."""
        self.emit("li x5, 1", "sw x5, AREA_HASH(x31)")

    def show_floats(self):
        """Floating-point registers belong to it."""
        self.emit("li x5, 2", "sw x5, AREA_FS(x31)")

    def enter(self, mode, status=0, paged=False):
        """Go on in another mode (M: here, with this mstatus)."""
        there = self.label()
        status = (status & ~0x1800) | MODES[mode] << 11
        self.emit(f"la x5, {there}")
        if paged and mode == "U":
            self.emit(f"li x6, {USER_ALIAS:#x}", "add x5, x5, x6")
        self.emit("csrw mepc, x5")
        self.csrw("mstatus", status)
        self.emit("mret", f"{there}:")

    def end(self):
        """Leave the step, from whatever mode."""
        self.emit("li x30, END_OF_STEP", "ecall")

    def source(self):
        """The whole program."""
        n = len(self.notes)
        head = [f"#define KNOWN_{name.upper()} {known.mask(name, self.xlen):#x}"
                for name in ("mstatus", "sstatus", "mip")]
        head += [".macro known_snapshot"]
        head += [f"put_csr {name}, {known.mask(name, self.xlen):#x}"
                 if known.mask(name, self.xlen) != self.mask else
                 f"put_csr {name}" for name in SNAPSHOT]
        head += [".endm"]
        text = ["#define PROGRAM 1"] + head[:3]
        text += ['#include "harness.S"'] + head[3:]
        # macros are needed before the harness uses them
        text = head + ['#include "harness.S"']
        text += ["steps:"] + self.lines + [f"step_{n}: j finish"]
        text += [".balign 8", "first_floats:"]
        text += [f".dword {self.double():#x}" for _ in range(32)]
        text += ["first_singles:"]
        text += [f".word {self.single():#x}" for _ in range(32)]
        text += [".balign 8", "first_values:"]
        text += [f"PTR {self.value():#x}" for _ in range(32)]
        return "\n".join(text + self.pages()) + "\n"

    def single(self):
        """Bits of a single."""
        exp = self.pick(0, 1, 0x7f, 0x80, 0xfe, 0xff, 0xff, self.bits(8),
                        0x7f + self.random.randrange(-30, 30))
        frac = self.pick(0, 1, 0x400000, 0x3fffff, 0x7fffff, self.bits(23),
                         self.bits(23) & 0x7fff00)
        return self.bits(1) << 31 | exp << 23 | frac

    def double(self):
        """Bits of a double."""
        if self.chance(10):
            return self.bits(64)
        exp = self.pick(0, 1, 0x3ff, 0x400, 0x7fe, 0x7ff, 0x7ff,
                        0x3ff + self.random.randrange(-70, 70), self.bits(11))
        frac = self.pick(0, 1, 1 << 51, (1 << 51) - 1, (1 << 52) - 1,
                         self.bits(52), self.bits(52) << 20 & (1 << 52) - 1)
        return self.bits(1) << 63 | exp << 52 | frac

    def pages(self):
        """Data pages: ecalls to jump to, an instruction over each end."""
        out = ['.section .pages, "aw"']
        for _ in range(N_PAGES):
            out += [".2byte 0", ".4byte 0x73", ".2byte 0x1", ".4byte 0x73, 0"]
            for _ in range(1, 255):
                out += [f".4byte 0x73, {self.bits(32):#x}, "
                        f"{self.bits(32):#x}, {self.bits(32):#x}"]
            out += [".4byte 0x73, 0, 0", ".2byte 0x1, 0x0013"]
        return out + ['.section .tables, "aw"'] + self.tables()

    def tables(self):
        """The page tables, for the step kinds that use them."""
        return []
