# SPDX-License-Identifier: BSD-2-Clause
"""What may differ between the machine and QEMU 7.2, each with its rule.

A generated program neither records nor provokes what stands here; everything
else must be equal. A rule is an anchor of the ISA manual or an item of the
conformance list (C...); "QEMU" is a defect of QEMU, and why names it.
"""

VS_INTERRUPTS = 1 << 2 | 1 << 6 | 1 << 10 | 1 << 12

# Bits of a CSR that are not recorded: bits on RV64, on RV32, rule, why.
BITS = {
    "mcounteren": (0xffffffff << 32, 0, "mcounteren_sz",
                   "32 bits wide; QEMU keeps 64"),
    "scounteren": (0xffffffff << 32, 0, "scounteren_sz", "as mcounteren"),
    "mcountinhibit": (0xffffffff << 32 | 2, 2, "mcountinhibit_op2",
                      "32 bits wide without one for time; QEMU keeps all"),
    "medeleg": (0xf00401, 0xf00401, "medeleg_sz_acc",
                "misaligned fetches cannot happen with C, traps from VS and "
                "guest-page faults not without H"),
}

# Bits that are written as zero: bits on RV64, on RV32, rule, why.
NOT_WRITTEN = {
    "mtvec": (2, 2, "mtvec_sz_warl_acc",
              "a reserved mode leaves the mode here, the whole CSR in QEMU"),
    "stvec": (2, 2, "stvec_op", "as mtvec"),
    "mepc": (1, 1, "mepc_lsb", "QEMU keeps bit 0 until it returns"),
    "sepc": (1, 1, "sepc", "as mepc"),
    "menvcfg": (~1, ~1, "menvcfg_op", "QEMU keeps bits of Zicbom and others"),
    "menvcfgh": (~1, ~1, "menvcfg_op", "as menvcfg"),
    "senvcfg": (~1, ~1, "senvcfg", "as menvcfg"),
    "mstatus": (0x600, 0x600, "QEMU", "keeps VS without V"),
    "sstatus": (0x600, 0x600, "QEMU", "keeps VS without V"),
}
for _name in ("mideleg", "mie", "mip", "sie", "sip"):
    NOT_WRITTEN[_name] = (VS_INTERRUPTS, VS_INTERRUPTS, "QEMU",
                          "interrupts of VS without H")

# CSRs that are not accessed: first, last, rule, why.
LEFT_OUT = [
    (0x3a0, 0x3ef, "pmp_entry_count",
     "no PMP entries: zero here, no such CSRs in QEMU"),
    (0x150, 0x15c, "QEMU", "without AIA, QEMU takes the lowest number first;"
     " with it, there are CSRs that do not exist here"),
    (0x308, 0x309, "QEMU", "AIA"), (0x313, 0x313, "QEMU", "AIA"),
    (0x318, 0x319, "QEMU", "AIA"), (0x350, 0x35c, "QEMU", "AIA"),
    (0xdb0, 0xdb0, "QEMU", "AIA"), (0xfb0, 0xfb0, "QEMU", "AIA"),
    (0x114, 0x114, "QEMU", "AIA on RV32"),
    (0x154, 0x154, "QEMU", "AIA on RV32"),
    (0x314, 0x314, "QEMU", "AIA on RV32"),
    (0x354, 0x354, "QEMU", "AIA on RV32"),
    (0x723, 0x73f, "mhpmeventh_presence", "QEMU has them on RV64, too"),
    (0x7a0, 0x7af, "tselect", "no triggers: QEMU has none of their CSRs"),
]


def mask(csr, xlen):
    """The bits of a CSR that are recorded."""
    bits = BITS.get(csr, (0, 0))[xlen == 32]
    return ~bits & (1 << xlen) - 1


def write(csr, value, xlen, op="csrrw"):
    """The value that is written in place of this one."""
    if csr in ("mstatus", "sstatus") and xlen == 64:
        # QEMU lets software write UXL, SXL and fields of H (mstatus_uxl_warl)
        value &= 0x7fffff
        if op == "csrrw":
            value |= 0xa << 32
    if csr in ("mstatus", "sstatus"):
        # FS is Off or Dirty here (mstatus_fs_no_dirty_track)
        value = value | 0x6000 if value & 0x6000 else value
    if csr == "mstatus" and value & 0x1800 == 0x1000:
        value |= 0x1800         # QEMU 7.2 accepts MPP = 2 (C)
    return value & ~NOT_WRITTEN.get(csr, (0, 0))[xlen == 32]


def accessed(number):
    """May a CSR of this number be accessed?"""
    return not any(first <= number <= last for first, last, *_ in LEFT_OUT)


def _breakpoint(name, ours, theirs, context):
    """QEMU leaves zero in xtval at an ebreak."""
    if name.split()[-1] not in ("mtval", "stval") or theirs:
        return False
    return ours in context["ebreaks"]


def _aligned(name, ours, theirs, context):
    """QEMU gives the address of an access that it has split."""
    return name.split()[-1] in ("mtval", "stval") and "0x" in \
        context["note"] and theirs in (ours & ~7, ours & ~3)


# Differences that are found again in the records: function, rule, why.
ALLOWED = [
    (_breakpoint, "mtval_op", "zero or the address, both are allowed"),
    (_aligned, "mtval_op", "QEMU: of a misaligned access, the address"),
]


def allowed(name, ours, theirs, context):
    """Is this difference one of the known ones?"""
    return any(f(name, ours, theirs, context) for f, *_ in ALLOWED)


# Traps whose causes differ: ours, QEMU's, what the step does, rule, why. What
# follows such a trap in its step is not compared, nor memory afterwards.
PARTS = [
    ({6, 7, 15}, {4, 5, 13}, ("amo", "lr."), "sec:amo",
     "a fault of an AMO or SC is one of a store"),
    ({1}, {12}, ("paged", "satp"), "sv32algorithm",
     "QEMU: a page table that is not in memory is an access fault"),
    ({5}, {13}, ("paged", "satp"), "sv32algorithm", "as before"),
    ({7}, {15, 13}, ("paged", "satp"), "sv32algorithm", "as before"),
]


def parts(causes, context):
    """Does a step part from QEMU's in a known way?"""
    return len(causes) == 2 and any(
        causes[0] in ours and causes[1] in theirs and
        any(word in context["note"] for word in words)
        for ours, theirs, words, *_ in PARTS)
