# SPDX-License-Identifier: BSD-2-Clause
"""Steps: CSR accesses of all kinds, privileged instructions, interrupts."""
import known

CSRS = {
    "fflags": 0x001, "frm": 0x002, "fcsr": 0x003,
    "sstatus": 0x100, "sie": 0x104, "stvec": 0x105, "scounteren": 0x106,
    "senvcfg": 0x10a, "sscratch": 0x140, "sepc": 0x141, "scause": 0x142,
    "stval": 0x143, "sip": 0x144, "satp": 0x180,
    "mstatus": 0x300, "misa": 0x301, "medeleg": 0x302, "mideleg": 0x303,
    "mie": 0x304, "mcounteren": 0x306, "menvcfg": 0x30a,
    "mcountinhibit": 0x320, "mscratch": 0x340, "mepc": 0x341,
    "mcause": 0x342, "mtval": 0x343, "mip": 0x344, "scountovf": 0xda0,
    "mhpmcounter3": 0xb03, "mhpmcounter17": 0xb11, "mhpmcounter31": 0xb1f,
    "hpmcounter3": 0xc03, "hpmcounter17": 0xc11, "hpmcounter31": 0xc1f,
    "mvendorid": 0xf11, "mhartid": 0xf14, "mconfigptr": 0xf15,
}
CSRS32 = {
    "mstatush": 0x310, "menvcfgh": 0x31a, "mhpmcounter3h": 0xb83,
    "mhpmcounter31h": 0xb9f, "hpmcounter3h": 0xc83, "hpmcounter31h": 0xc9f,
}
# What a step does not survive, unless it is a mere read.
KEPT = {"mtvec"}
# Values that are the hart's own, or run by themselves.
MOVING = [0xb00, 0xb02, 0xb80, 0xb82, 0xc00, 0xc01, 0xc02, 0xc80, 0xc81,
          0xc82, 0xf12, 0xf13]
WORDS = ["csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"]


def csrs(p):
    """The CSRs of this ISA by name."""
    return {**CSRS, **(CSRS32 if p.xlen == 32 else {})}


def encode(number, op, rd, rs1):
    """The instruction word of a CSR access."""
    funct3 = {"csrrw": 1, "csrrs": 2, "csrrc": 3,
              "csrrwi": 5, "csrrsi": 6, "csrrci": 7}[op]
    return number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x73


def status(p, below=False):
    """A random mstatus; without interrupts, as far as M goes."""
    value = p.bits(32) & 0x7e79aa
    value &= ~(0x6000 | 0x80)
    value |= p.pick(0, 0x6000, 0x6000, 0x6000)
    if p.chance(60):
        value &= ~(0x700000)            # TVM, TW, TSR
    if below:
        value &= ~0x20000               # MPRV
    return value


def access(p, name, number):
    """One access, its result recorded in a register."""
    xlen = p.xlen
    op = p.random.choice(WORDS)
    rd = p.pick(0, p.reg(), p.reg(), p.reg())
    rs1 = p.pick(0, p.reg(), p.reg(), p.reg())
    if op.endswith("i"):
        rs1 = p.bits(5)
        if known.write(name, rs1, xlen, op[:5]) != rs1:
            rs1 = 0
    elif rs1:
        value = known.write(name, p.value(), xlen, op)
        if number >> 10 == 3:
            value |= 1      # QEMU looks at the value, not at rs1 (C180)
        if name == "satp":
            value = p.pick(value, satp(p))
        p.li(rs1, value)
    p.emit(f".word {encode(number, op, rd, rs1):#x}"
           f" # {op} x{rd}, {name}, {rs1}")
    p.note(f"{op} {name}")
    if number in MOVING and rd:
        p.emit(f"li x{rd}, 0")
    elif rd and known.mask(name, xlen) != p.mask:
        tmp = p.pick(*[r for r in (16, 17) if r != rd])
        p.li(tmp, known.mask(name, xlen))
        p.emit(f"and x{rd}, x{rd}, x{tmp}")


def satp(p):
    """A satp with all kinds of modes."""
    if p.xlen == 32:
        return p.bits(32)
    mode = p.pick(0, 8, 9, 10, 11, p.bits(4))
    return mode << 60 | p.bits(60)


def any_number(p):
    """A CSR number, likely of no CSR at all."""
    while True:
        number = p.pick(p.bits(12), p.bits(2) << 10 | p.bits(2) << 8 |
                        p.bits(8), 0xc00 | p.bits(8), 0x300 | p.bits(6))
        if known.accessed(number):
            return number


def set_up(p):
    """What decides over accesses from below M."""
    p.csrw("mcounteren", p.pick(0, p.mask, p.bits(32)))
    p.csrw("scounteren", p.pick(0, p.mask, p.bits(32)))
    if p.chance(40):
        p.csrw("mideleg", p.bits(16))
    if p.chance(40):
        p.csrw("medeleg", p.bits(16) & ~0xe00)


def step_csr(p):
    """CSR accesses from any mode."""
    mode = p.pick("M", "M", "M", "S", "S", "U")
    p.step("csr " + mode)
    set_up(p)
    table = csrs(p)
    p.enter(mode, status(p, below=True))
    for _ in range(p.random.randrange(1, 6)):
        name = p.random.choice(sorted(table))
        access(p, name, table[name])
    p.end()


def step_csr_number(p):
    """Reads of any CSR number, and writes of those that are not there."""
    mode = p.pick("M", "S", "U")
    p.step("csr-number " + mode)
    set_up(p)
    names = {number: name for name, number in csrs(p).items()}
    p.enter(mode, status(p, below=True))
    for _ in range(6):
        number = any_number(p)
        rd = p.reg()
        p.emit(f".word {encode(number, 'csrrs', rd, 0):#x}")
        p.note(f"{number:#x}")
        name = names.get(number, "")
        if number in MOVING:
            p.emit(f"li x{rd}, 0")
        elif known.mask(name, p.xlen) != p.mask:
            p.emit(f"li x{rd}, 0")
    p.end()


SYSTEM = {
    "mret": 0x30200073, "sret": 0x10200073, "ecall": 0x73,
    "ebreak": 0x100073, "sfence.vma": 0x12000073,
    "sfence.vma x5": 0x12028073, "sfence.vma x0,x5": 0x12500073,
    "sfence rd": 0x120000f3, "mret rs1": 0x30208073, "uret": 0x00200073,
    "dret": 0x7b200073, "hfence.vvma": 0x22000073,
    "hfence.gvma": 0x62000073, "sinval.vma": 0x16000073,
    "sfence.w.inval": 0x18000073, "mnret": 0x70200073,
    "wrs.nto": 0x00d00073, "hret": 0x20200073, "fence": 0x0ff0000f,
    "fence.i": 0x100f, "pause": 0x0100000f, "hlv.w": 0x6802c073,
    "ecall rd": 0xf3, "fence.tso": 0x8330000f,
}


def returns(p, word, paged=False):
    """An xRET with a place to return to."""
    there = p.label()
    csr = "mepc" if word == "mret" else "sepc"
    p.emit(f"la x6, {there}")
    if paged and p.chance(50):
        p.li(7, 0x40000000)
        p.emit("add x6, x6, x7")
    p.emit(f"csrw {csr}, x6")
    p.emit(f".word {SYSTEM[word]:#x}", f"{there}:")


def step_system(p):
    """Privileged instructions in any mode, traps delegated or not."""
    mode = p.pick("M", "S", "U")
    p.step("system " + mode)
    p.csrw("medeleg", p.bits(16) & ~0xe00)
    vectored(p)
    p.enter(mode, status(p, below=True))
    for _ in range(p.random.randrange(1, 7)):
        word = p.random.choice(sorted(SYSTEM))
        if word in ("mret", "sret") and p.chance(90):
            returns(p, word)
        elif word in ("mret", "sret"):
            continue
        else:
            p.emit(f".word {SYSTEM[word]:#x}")
        p.note(word)
    p.end()


def vectored(p):
    """Tables of vectors, or one entry for all."""
    for csr in ("mtvec", "stvec"):
        if p.chance(50):
            p.emit(f"csrr x5, {csr}", "ori x5, x5, 1", f"csrw {csr}, x5")


def raise_lines(p):
    """Interrupts of the CLINT that pend from now on."""
    if p.chance(30):
        p.emit("li x5, CLINT", "li x6, 1", "sw x6, 0(x5)")
    if p.chance(30):
        p.emit("li x5, CLINT + 0x4000", "sw x0, 0(x5)", "sw x0, 4(x5)")


IRQ_WORDS = ["csrsi sstatus, 2", "csrci sstatus, 2", "csrsi sip, 2",
             "csrci sip, 2", "nop", "addi x8, x8, 1", "csrr x9, sip",
             "csrr x10, sie", "csrw sie, x11", "csrw sip, x12",
             "csrs sie, x13", "csrc sip, x14"]
IRQ_WORDS_M = ["csrsi mstatus, 8", "csrci mstatus, 8", "csrr x9, mip",
               "csrw mie, x11", "csrw mip, x12", "csrs mip, x13",
               "csrc mip, x14", "csrs mie, x15", "csrs mideleg, x16",
               "csrc mideleg, x17", "csrw mideleg, x18"]


def step_interrupt(p):
    """Pending interrupts, taken one after the other wherever they go."""
    mode = p.pick("M", "S", "U")
    p.step("interrupt " + mode)
    vectored(p)
    raise_lines(p)
    p.csrw("mideleg", p.pick(p.bits(16), p.mask, 0))
    p.csrw("mie", p.pick(p.bits(16), p.mask))
    p.csrw("mip", p.pick(p.bits(16), p.mask, p.bits(16)))
    for reg in range(11, 19):
        p.li(reg, known.write("mip", p.bits(16), p.xlen))
    value = status(p, below=True) & ~0x88 | p.pick(0, 0x80)
    p.enter(mode, value)
    for _ in range(p.random.randrange(0, 10)):
        word = p.random.choice(IRQ_WORDS + (IRQ_WORDS_M if mode == "M"
                                            else []))
        p.emit(word)
        p.note(word)
    p.end()


def step_wait(p):
    """WFI with something pending that may or may not be taken."""
    mode = p.pick("M", "M", "S", "U")
    p.step("wait " + mode)
    vectored(p)
    bit = p.pick(1, 5, 9, 13)
    p.csrw("mideleg", p.pick(0, p.mask))
    p.csrw("mip", 1 << bit)
    p.csrw("mie", 1 << bit)
    if p.chance(50):
        p.csrw("medeleg", 4)
    p.enter(mode, status(p, below=True) & ~0x20)
    if mode == "M" or p.chance(50):
        p.emit(".word 0x10500073", "addi x8, x8, 1")
    p.end()


def step_timer(p):
    """WFI that the timer ends."""
    p.step("timer")
    vectored(p)
    ahead = p.random.randrange(1, 50)
    p.note(str(ahead))
    p.emit("csrr x7, time", f"addi x7, x7, {ahead}", "li x5, CLINT + 0x4000",
           "li x6, -1", "sw x6, 4(x5)", "sw x7, 0(x5)")
    if p.xlen == 64:
        p.emit("srli x6, x7, 32", "sw x6, 4(x5)")
    else:
        p.emit("sw x0, 4(x5)")
    p.csrw("mie", 0x80)
    taken = p.chance(50)
    p.enter("M", 0x6080 if taken else 0x6000)
    p.emit(".word 0x10500073", "csrr x9, time", "sltu x9, x9, x7",
           "csrr x8, mip", "andi x8, x8, 0x80", "li x7, 0", "li x6, 0")
    p.end()
