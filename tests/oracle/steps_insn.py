# SPDX-License-Identifier: BSD-2-Clause
"""Steps: instruction words of all kinds, legal or not, and their counts."""
from steps_csr import status

PLAIN = [0x13, 0x33, 0x37, 0x17, 0x1b, 0x3b, 0x0f]
FLOAT = [0x53, 0x53, 0x53, 0x43, 0x47, 0x4b, 0x4f]

# funct7 of OP-FP that exist for F and D
FP_FUNCT7 = [0x00, 0x04, 0x08, 0x0c, 0x2c, 0x10, 0x14, 0x50, 0x60, 0x68,
             0x70, 0x78, 0x20]


def low_insn(p):
    """A word of an opcode that touches registers only."""
    opcode = p.random.choice(PLAIN)
    funct7 = p.pick(0, 1, 0x20, 0, 1, 0x20, p.bits(7))
    rs1, rs2 = p.pick(0, p.reg()), p.pick(0, 31, p.reg())
    imm = funct7 << 25 | rs2 << 20
    return imm | rs1 << 15 | p.bits(3) << 12 | p.reg() << 7 | opcode


def float_insn(p, double):
    """A word of an opcode of floating point."""
    opcode = p.random.choice(FLOAT)
    rm = p.pick(0, 1, 2, 3, 4, 7, 7, p.bits(3))
    rd = p.bits(5) if double else 8 + p.bits(3)
    if opcode != 0x53:
        return p.bits(5) << 27 | p.pick(double, double, double | 2) << 25 | \
            p.bits(10) << 15 | rm << 12 | rd << 7 | opcode
    funct7 = p.random.choice(FP_FUNCT7) | double
    if funct7 >> 2 == 8 and not double:
        funct7 = 0
    if p.chance(5):
        funct7 = p.bits(5) << 2 | p.pick(double, double | 2)
    rs2 = p.bits(5)
    if funct7 >> 2 in (0x18, 0x1a):
        rs2 = p.pick(0, 1, 2, 3, rs2)
    if funct7 >> 2 == 8:
        rs2 = p.pick(1, rs2 | 1)    # from double to double: reserved
    if funct7 >> 2 in (0x1c, 0x1e):
        rs2 = p.pick(0, 0, 0, rs2)
    if funct7 >> 2 in (0x14, 0x18, 0x1c) or funct7 >> 2 not in (
            0, 1, 2, 3, 4, 5, 8, 11, 0x1a, 0x1e):
        rd = p.reg()
    return funct7 << 25 | rs2 << 20 | p.bits(5) << 15 | rm << 12 | \
        rd << 7 | opcode


def step_plain(p):
    """Integer instructions, reserved encodings too."""
    p.step("plain")
    p.enter(p.pick("M", "S", "U"), 0x6000)
    for _ in range(16):
        word = low_insn(p)
        p.emit(f".word {word:#x}")
        p.note(f"{word:08x}")
    p.end()


def step_float(p):
    """Floating point, with every rounding mode, and without FS.

    Of singles only the lower half is compared, and all registers hold singles:
    the engine neither writes nor looks for the box around them.
    """
    double = p.chance(50)
    p.step("float " + ("double" if double else "single"))
    if double:
        p.show_floats()
    p.csrw("fcsr", p.pick(0, p.bits(8), p.bits(5), p.random.randrange(5) << 5))
    if not double:
        p.emit("la x5, first_singles")
        for n in range(32):
            p.emit(f"flw f{n}, {n * 4}(x5)")
    p.enter(p.pick("M", "S", "U"), 0 if p.chance(8) else 0x6000)
    for _ in range(p.random.randrange(1, 9)):
        word = float_insn(p, double)
        p.emit(f".word {word:#x}")
        p.note(f"{word:08x}")
        if p.chance(20):
            p.emit(f"csrr x{p.reg()}, fflags")
    if not double:
        for n in range(8, 16):
            p.emit(f"fmv.x.w x{n}, f{n}")
    p.end()


def compressed(p):
    """A halfword that touches registers only, and its registers are free."""
    while True:
        word = p.bits(16)
        op, f3 = word & 3, word >> 13
        rd = word >> 7 & 31
        if op == 3:
            continue
        if op == 0 and f3 != 0:
            if f3 == 4:
                return word             # reserved
            continue
        if op == 1 and f3 >= 5 or op == 1 and f3 == 1 and p.xlen == 32:
            continue                    # jumps and branches
        if op == 1 and f3 < 4 and rd not in (0, 1, 2, 5, 10, 18, 28):
            continue
        if op == 2:
            if f3 == 0 and rd in (0, 1, 2, 5, 10, 18, 28):
                return word
            if f3 != 4 or rd not in (0, 1, 2, 5, 10, 18, 28):
                continue
            if not word >> 2 & 31:      # c.jr, c.jalr, c.ebreak
                if word == 0x9002 or word == 0x8002:
                    return word
                continue
            return word
        return word


def step_compressed(p):
    """Compressed instructions, reserved encodings too."""
    p.step("compressed")
    p.policy(2)
    p.enter(p.pick("M", "S", "U"), 0x6000)
    for _ in range(16):
        word = compressed(p)
        p.emit(f".2byte {word:#x}")
        p.note(f"{word:04x}")
    p.emit(".balign 4, 1")
    p.end()


def step_count(p):
    """How many instructions and cycles pass where nothing traps."""
    mode = p.pick("M", "S", "U")
    p.step("count " + mode)
    counter = p.pick("instret", "cycle")
    p.enter(mode, 0x6000)
    p.emit(f"csrr x10, {counter}")
    for _ in range(p.random.randrange(12)):
        lines = {
            "plain": ["addi x11, x11, 1"] * p.random.randrange(1, 30),
            "branch": ["bnez x11, 1f", "nop", "1: nop"],
            "not": ["beqz x11, 1f", "nop", "1: nop"],
            "csr": ["csrr x12, fflags", "csrr x12, instret"],
            "fence": ["fence.i", "fence"],
            "scratch": ["csrw sscratch, x11" if mode != "U" else "nop"],
            "jump": ["j 1f", "nop", "1: nop"],
            "loop": [f"li x13, {p.random.randrange(1, 200)}",
                     "1: addi x13, x13, -1", "bnez x13, 1b"],
            "vma": ["sfence.vma" if mode != "U" else "nop"],
            "float": ["fadd.d f1, f2, f3", "fdiv.d f4, f2, f3"],
            "load": ["lw x14, 0(x31)", "sw x14, 300(x31)"],
        }
        kind = p.random.choice(sorted(lines))
        p.emit(*lines[kind])
        p.note(kind)
    p.emit(f"csrr x15, {counter}", "sub x10, x15, x10", "li x15, 0",
           "li x12, 0")
    p.end()


def step_levels(p):
    """From M over S to U and back, by returns and ecalls."""
    p.step("levels")
    p.csrw("medeleg", p.bits(16) & ~0xe00 | 0x100)
    mode = "M"
    p.emit("nop")
    value = status(p, below=True) & ~0x700000
    p.enter("S", value)
    for _ in range(p.random.randrange(1, 5)):
        there = p.label()
        p.emit(f"la x6, {there}", "csrw sepc, x6")
        if p.chance(50):
            p.li(7, 0x100)
            p.emit("csrs sstatus, x7" if p.chance(50) else
                   "csrc sstatus, x7")
        p.emit("sret", f"{there}:")
        p.emit(p.pick("ecall", "ebreak", "nop", ".word 0", "csrr x8, sepc",
                      "csrr x8, mepc", "wfi" if mode == "U" else "nop"))
    p.end()
