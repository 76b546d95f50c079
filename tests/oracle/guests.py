# SPDX-License-Identifier: BSD-2-Clause
"""Programs for harts with guests: random state, a mode, a few instructions.

What QEMU 7.2 does otherwise is neither recorded nor provoked; where that is
decided, the rule stands beside it ("QEMU" is a defect of QEMU).
"""
from program import Program

STEPS = 60
STEP = 0x57e90000
REGS = range(10, 16)    # random before a step, recorded after it

CSRS = {
    "fcsr": 0x003, "sstatus": 0x100, "sie": 0x104, "stvec": 0x105,
    "scounteren": 0x106, "senvcfg": 0x10a, "sscratch": 0x140, "sepc": 0x141,
    "scause": 0x142, "stval": 0x143, "sip": 0x144, "satp": 0x180,
    "vsstatus": 0x200, "vsie": 0x204, "vstvec": 0x205, "vsscratch": 0x240,
    "vsepc": 0x241, "vscause": 0x242, "vstval": 0x243, "vsip": 0x244,
    "vsatp": 0x280, "mstatus": 0x300, "mcounteren": 0x306, "mtval2": 0x34b,
    "no CSR of S": 0x5a0, "hstatus": 0x600, "hedeleg": 0x602,
    "hideleg": 0x603, "hie": 0x604, "htimedelta": 0x605, "hcounteren": 0x606,
    "hgeie": 0x607, "henvcfg": 0x60a, "htimedeltah": 0x615,
    "henvcfgh": 0x61a, "htval": 0x643, "hip": 0x644, "hvip": 0x645,
    "htinst": 0x64a, "hgatp": 0x680, "no CSR of HS": 0x6ff, "cycle": 0xc00,
    "time": 0xc01, "instret": 0xc02, "hpmcounter3": 0xc03,
    "hpmcounter31": 0xc1f, "cycleh": 0xc80, "timeh": 0xc81,
    "hpmcounter3h": 0xc83, "scountovf": 0xda0, "hgeip": 0xe12,
    "mhartid": 0xf14,
}
# Written with anything; sip, sie, vsip, vsie are not: QEMU puts what a guest
# writes to them one bit too low (vsip_vsie_ssi).
WRITTEN = {"sscratch", "vsscratch", "hedeleg", "hideleg", "hvip", "hie",
           "hip", "hgeie", "mtval2", "mstatus", "scountovf", "cycle", "time",
           "timeh", "hgeip", "mhartid", "no CSR of S", "no CSR of HS"}
# Read, but what was read is not compared: it runs, or is the hart's own.
MOVING = {"cycle", "time", "instret", "cycleh", "timeh", "hpmcounter3",
          "hpmcounter31", "hpmcounter3h", "stvec", "vstvec", "htinst",
          "henvcfg", "henvcfgh", "senvcfg", "vsstatus", "sstatus", "vsip",
          "sip", "sie", "hie", "fcsr", "hgatp", "hedeleg", "hstatus"}

INSNS = {
    "ecall": 0x73, "ebreak": 0x100073, "mret": 0x30200073, "fadd.s": 0x53,
    "hlv.bu": 0x6014c573, "hlv.w": 0x6804c573, "hlv.wu": 0x6814c573,
    "hlv.d": 0x6c04c573, "hlvx.hu": 0x6434c573, "hsv.w": 0x6a94c073,
    "no hlv": 0x6824c573,
}
# QEMU: these are illegal in VU, not virtual (H_virtinst_vu_sret_sfence,
# H_virtinst_vu_vs_hinst), as are supervisor CSRs.
NOT_IN_VU = {"sfence.vma": 0x12000073, "hfence.vvma": 0x22000073,
             "hfence.gvma": 0x62000073}

ZERO = ["satp", "vsatp", "hgatp", "htimedelta", "sepc", "scause", "stval",
        "htval", "htinst", "vscause", "vstval", "mtval2", "mtval", "mcause",
        "mip", "mie", "hvip", "senvcfg", "sscratch", "vsscratch"]

SNAPSHOT = ["mstatus", "mepc", "mcause", "mtval", "mtval2", "mip", "mie",
            "mideleg", "medeleg", "sepc", "scause", "stval", "htval",
            "hstatus", "hedeleg", "hideleg", "hvip", "hip", "hie", "sip",
            "sie", "vsstatus", "vsepc", "vscause", "vstval", "vsip", "vsie",
            "vstvec", "vsscratch", "sscratch", "hcounteren", "scounteren",
            "stvec", "htimedelta", "hgatp", "vsatp", "satp"]

# Bits that are not compared, by CSR: bits, rule, why.
BITS = {
    "mstatus": (1 << 38, "QEMU", "GVA with every trap that has a value"),
    "mstatush": (0x40, "QEMU", "as mstatus"),
    "hstatus": (0x40, "QEMU", "GVA is cleared by a trap into VS-mode"),
    "vsstatus": (1 << 63 | 1 << 31 | 1, "QEMU", "no SD, but UIE"),
    "vsip": (~2, "QEMU", "STIP and SEIP are zero"),
    "medeleg": (1, "medeleg_when_rd0", "no misaligned fetches with C"),
    "hedeleg": (0xc0001, "hedeleg_acc", "QEMU: older than bits 18 and 19"),
    "mideleg": (0x1000, "mideleg_acc_h", "guest interrupts: none here"),
    "mie": (0x1000, "mideleg_acc_h", "as mideleg"),
    "hie": (0x1000, "mideleg_acc_h", "as mideleg"),
    "hcounteren": (~0xffffffff, "hcounteren_sz", "QEMU keeps 64 bits"),
    "scounteren": (~0xffffffff, "scounteren_sz", "QEMU keeps 64 bits"),
}


def snapshot(xlen):
    """Names of the CSRs that are recorded."""
    return SNAPSHOT + (["mstatush"] if xlen == 32 else [])


class Guests(Program):
    """A program of such steps."""

    def __init__(self, seed, xlen):
        super().__init__(seed, xlen)
        self.mode, self.wait, self.perhaps_vu = "", False, False

    def some(self, bits, percent=50):
        """A word with some of these bits."""
        return sum(1 << bit for bit in bits if self.chance(percent))

    def write(self, csr, value):
        """Write a CSR in M-mode."""
        self.li(5, value)
        self.emit(f"csrw {csr}, x5")

    def enables(self):
        """The three counter-enable registers."""
        for csr in ("mcounteren", "hcounteren", "scounteren"):
            self.write(csr, self.pick(0, 0xffffffff, self.bits(32)))

    def delegation(self):
        """Who takes what, in tables or not; ecalls of HS end the step."""
        self.write("medeleg", self.some([2, 3, 8, 22]) | self.some([10], 25))
        self.write("hedeleg", self.some([2, 3, 8]))
        self.write("mideleg", self.some([1, 5, 9, 13], 60))
        self.write("hideleg", self.some([2, 6, 10]))
        for csr, table in (("stvec", "s_table"), ("vstvec", "vs_table")):
            self.emit(f"la x5, {table}", *["ori x5, x5, 1"] * self.bits(1),
                      f"csrw {csr}, x5")

    def interrupts(self):
        """What pends; hvip last: QEMU's mip clears it (mip_mie_alias)."""
        self.write("mip", self.some([1, 5, 9, 13], 30))
        self.write("hvip", self.some([2, 6, 10]))
        self.write("mie", self.some([1, 2, 5, 6, 9, 10, 13], 60))
        if self.wait:
            self.emit("csrsi mip, 2", "csrsi mie, 2")

    def status(self):
        """hstatus, vsstatus and mstatus, which chooses the mode."""
        guest = self.mode[0] == "V"
        self.write("hstatus", self.some([6, 8, 9, 20, 21, 22], 30) |
                   self.some([7]))
        self.write("vsstatus", self.some([1, 5, 8, 18, 19]) |
                   self.pick(0, 0x6000))
        # QEMU: TVM and TSR act on VS-mode, too (mstatus_modes)
        value = self.some([1, 5, 7, 8, 18, 19]) | \
            self.some([21] if guest else [20, 21, 22], 25) | \
            (self.mode[-1] == "S") << 11 | self.pick(0, 0x6000, 0x6000)
        if self.xlen == 32:
            self.write("mstatush", guest << 7)
        else:
            value |= guest << 39 | 0xa << 32
        self.write("mstatus", value)

    def access(self):
        """One CSR access; x14 is what is written."""
        names = [n for n, number in CSRS.items()
                 if not (self.perhaps_vu and number >> 8 & 3 == 1)]
        # QEMU: VTVM does not keep VS-mode from satp, nor TVM HS-mode from
        # hgatp (hstatus_vtvm_op, hgatp_tvm_illegal)
        name = self.pick(*[n for n in names if n not in ("satp", "hgatp")])
        rd = self.pick(0, 10, 11, 12, 13)
        word = CSRS[name] << 20 | rd << 7 | 0x73
        if name in WRITTEN and self.chance(50):
            self.note(f"write {name}")
            word |= self.pick(14 << 15 | 1 << 12, 1 << 15 | 6 << 12)
        else:
            self.note(f"read {name}")
            word |= 2 << 12
        self.emit(f".word {word:#x}")
        if rd and name in MOVING:
            self.emit(f"li x{rd}, 0")

    def instruction(self):
        """One instruction that is not SRET."""
        if self.wait:
            name, word = "wfi", 0x10500073
        elif self.chance(60):
            self.access()
            return
        else:
            some = INSNS if self.perhaps_vu else {**INSNS, **NOT_IN_VU}
            name, word = self.pick(*some.items())
        self.note(name)
        self.emit(f".word {word:#x}")

    def guest_step(self):
        """A step: state, mode, instructions, perhaps a return within."""
        n = len(self.notes)
        self.mode = self.pick("S", "VS", "VS", "VS", "VU", "VU", "U")
        self.wait, self.perhaps_vu = self.chance(8), self.mode == "VU"
        self.notes.append(self.mode)
        self.emit(f"step_{n}:", f"la x26, step_{n + 1}",
                  f"li x1, {STEP | n:#x}", "put x1")
        self.emit(*[f"csrw {csr}, x0" for csr in ZERO])
        self.enables()
        self.delegation()
        if self.wait or self.chance(33):
            self.interrupts()
        self.emit(f"la x5, there_{n}", "csrw sepc, x5", "csrw vsepc, x5")
        self.status()
        self.emit(f"la x5, here_{n}", "csrw mepc, x5", "la x9, data")
        for reg in REGS:
            self.li(reg, self.bits(self.xlen))
        self.emit("mret", f"here_{n}:")
        for _ in range(self.random.randrange(1, 3)):
            self.instruction()
        if not self.perhaps_vu and self.chance(30):
            self.note("sret")
            self.emit(".word 0x10200073")
            self.perhaps_vu = True
        self.emit(f"there_{n}:")
        if not self.wait and self.chance(50):
            self.instruction()
        self.emit("ecall")

    def source(self):
        """The whole program."""
        for _ in range(STEPS):
            self.guest_step()
        return "\n".join(
            [".macro snapshot"] +
            [f"put_csr {csr}" for csr in snapshot(self.xlen)] +
            [".endm", '#include "guest-harness.S"', "steps:"] + self.lines +
            [f"step_{STEPS}: j finish"]) + "\n"


def parse(words, xlen):
    """The records: a list of steps, each {name: value}."""
    names = [f"x{n}" for n in REGS] + snapshot(xlen)
    steps = []
    for i in range(0, len(words), len(names) + 1):
        if words[i] >> 16 != STEP >> 16:
            break
        steps.append(dict(zip(names, words[i + 1:i + 1 + len(names)])))
    return steps


def allowed(name, ours, theirs, note):
    """Known differences that depend on what happened."""
    if name in ("mtval", "stval", "vstval"):
        # zero or the address at ebreak (mtval_op); QEMU has the bits of some
        # older instruction where HLV and the like are refused
        return "ebreak" in note and not theirs or "hlv" in note or \
            "hsv" in note or "wfi" in note or "sret" in note or \
            "fence" in note
    # QEMU: exception 2 delegated to VS-mode is taken for interrupt 2
    return name == "vscause" and (ours, theirs) == (2, 1)


def differences(ours, theirs, notes):
    """(step, name, ours, theirs) of all that is not the same."""
    out = []
    for n, note in enumerate(notes):
        a = ours[n] if n < len(ours) else {}
        b = theirs[n] if n < len(theirs) else {}
        for name in a.keys() | b.keys():
            x, y = a.get(name, -1), b.get(name, -1)
            if (x ^ y) & ~BITS.get(name, (0,))[0] and \
                    not allowed(name, x, y, note):
                out.append((n, name, x, y))
    return out
