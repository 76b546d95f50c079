#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""libpmu's instruction decode against the binutils disassembler.

All compressed encodings, all operations of OP-FP, AMO and SYSTEM, and a seeded
sample of everything else, for RV32 and RV64. What an instruction is follows
from the disassembler's mnemonic, its operands from the disassembler's text.
usage: insn-sweep.py INSN_DUMP OBJDUMP
"""
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

DUMP, OBJDUMP = sys.argv[1:3]
BRANCH, LOAD, STORE, LR, SC, AMO, FP, CSR, SYSTEM, FENCE_I = "bslrcafzpi"
OPERAND = re.compile(r"(-?\d+)?\(x(\d+)\)")

ACCESSES = {"lb": (LOAD, 1), "lh": (LOAD, 2), "lw": (LOAD, 4),
            "ld": (LOAD, 8), "lbu": (LOAD, 1), "lhu": (LOAD, 2),
            "lwu": (LOAD, 4), "flw": (LOAD + FP, 4), "fld": (LOAD + FP, 8),
            "sb": (STORE, 1), "sh": (STORE, 2), "sw": (STORE, 4),
            "sd": (STORE, 8), "fsw": (STORE + FP, 4), "fsd": (STORE + FP, 8)}
JUMPS = {"beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "j",
         "jal", "jalr", "jr"}
PRIVILEGED = {"ecall", "ebreak", "sret", "mret", "wfi", "sfence.vma"}
NOTHING = ("", 0, 0, 0, 0, 0, 0)
CSRS = {"csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"}


def words():
    """Every word to try, each a possible 16- or 32-bit instruction."""
    rng = random.Random(20)
    out = [h for h in range(0x10000) if h & 3 != 3]
    for f7 in range(128):
        for f3 in range(8):
            for rs2 in (0, 1, 2, 3, 4, 31):
                out.append(f7 << 25 | rs2 << 20 | 5 << 15 | f3 << 12 |
                           6 << 7 | 0x53)
            out.append(f7 << 25 | 5 << 15 | f3 << 12 | 6 << 7 | 0x2f)
            out.append(f7 << 25 | 7 << 20 | 5 << 15 | f3 << 12 | 6 << 7 | 0x2f)
    out += [imm << 20 | 0x73 for imm in range(4096)]
    out += [rng.getrandbits(12) << 20 | rng.getrandbits(5) << 15 | 0x73
            for _ in range(2000)]
    for major in range(32):
        out += [rng.getrandbits(25) << 7 | major << 2 | 3
                for _ in range(2500)]
    return out


def has_size(word):
    """Not the prefix of an encoding of more than 32 bits."""
    return word & 0x1f != 0x1f


def for_binutils(word):
    """The word, as every binutils knows it.

    Conversions to double that are exact have a rounding mode without effect;
    older disassemblers know only the mode that the assembler writes, 0.
    """
    exact = {0x42000053, 0xd2000053, 0xd2100053}
    if word & 0xfff0007f in exact and word >> 12 & 7 not in (5, 6):
        return word & ~0x7000
    return word


def disassemble(all_words, xlen):
    """Yield (mnemonic, operands) of each word."""
    all_words = [for_binutils(w) for w in all_words]
    image = b"".join(struct.pack("<I" if w & 3 == 3 else "<H", w)
                     for w in all_words)
    with tempfile.NamedTemporaryFile(suffix=".bin") as f:
        f.write(image)
        f.flush()
        text = subprocess.run(
            [OBJDUMP, "-D", "-z", "-b", "binary", "-m", f"riscv:rv{xlen}",
             "-M", "no-aliases,numeric", f.name],
            check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        parts = line.split("\t")
        if len(parts) >= 3 and parts[0].endswith(":"):
            yield parts[2].strip(), parts[3] if len(parts) > 3 else ""


def register(text, kind="x"):
    return int(text[1:]) if text.startswith(kind) else 0


def access(flags, size, fields):
    """Expectation of a load or store: data, offset(base)."""
    offset, base = OPERAND.search(fields[1]).groups()
    data = register(fields[0])
    rd, rs2 = (data, 0) if LOAD in flags else (0, data)
    return flags, size, rd, int(base), rs2, 0, int(offset or 0)


def atomic(name, fields):
    """Expectation of lr, sc, amo*."""
    size = 4 if ".w" in name else 8
    base = int(OPERAND.search(fields[-1]).group(2))
    rs2 = register(fields[1]) if len(fields) == 3 else 0
    flags = {"lr": LOAD + LR, "sc": STORE + SC}.get(
        name.split(".")[0], LOAD + STORE + AMO)
    return flags, size, register(fields[0]), base, rs2, 0, 0


def jump(name, fields, compressed):
    regs = [register(f) for f in fields if re.match(r"x\d+$", f)]
    regs += [int(m.group(2)) for m in map(OPERAND.search, fields) if m]
    rd = rs1 = rs2 = 0
    if compressed and name in ("jal", "jalr"):
        rd, rs1 = 1, regs[0] if regs else 0
    elif name in ("jal", "jalr"):
        rd, rs1 = (regs + [0])[:2]
    else:
        rs1, rs2 = (regs + [0, 0])[:2]
    return BRANCH, 0, rd, rs1, rs2, 0, 0


def csr(word, name, fields):
    num = word >> 20
    flags = CSR + (FP if 1 <= num <= 3 else "")
    rs1 = 0 if name.endswith("i") else register(fields[2])
    return flags, 0, register(fields[0]), rs1, 0, num, 0


def expected(word, mnemonic, operands):
    """(flags, size, rd, rs1, rs2, csr, imm) from the disassembly."""
    fields = operands.split(" ")[0].split(",")
    name = mnemonic.removeprefix("c.")
    if mnemonic.startswith("c."):
        name = name.removesuffix("sp")
    if word & 0x707f == 0x100f:     # software must expect fields ignored
        return (FENCE_I,) + NOTHING[1:]
    if "unknown" in fields:         # a reserved rounding mode
        return NOTHING
    if name in ACCESSES:
        return access(*ACCESSES[name], fields)
    if re.match(r"(lr|sc|amo\w+)\.[wd]", name):
        return atomic(name, fields)
    if name in JUMPS:
        return jump(name, fields, mnemonic.startswith("c."))
    if name in CSRS:
        return csr(word, name, fields)
    if name in PRIVILEGED:
        regs = [register(f) for f in fields] if operands else [0, 0]
        return (SYSTEM, 0, 0) + tuple(regs) + (0, 0)
    if re.match(r"f(?!ence)", name):
        rd, rs1 = register(fields[0]), register(fields[1])
        return FP, 0, rd, rs1, 0, 0, 0
    return NOTHING


def decode(all_words, xlen):
    """(length, the tuple of expected()) of each word, from libpmu."""
    data = struct.pack(f"={len(all_words)}I", *all_words)
    text = subprocess.run([DUMP, str(xlen)], input=data, check=True,
                          capture_output=True).stdout.decode()
    for line in text.splitlines():
        length, flags, *rest = line.split(" ")
        yield int(length), (flags[:-1], *map(int, rest))


def compare(xlen):
    """Return the differences, and how many words were compared."""
    every = words()
    known = [w for w in every if has_size(w)]
    wrong, n = [], 0
    listing = list(disassemble(known, xlen))
    if len(listing) != len(known):
        return [f"{len(known)} words, {len(listing)} disassembled"], 0
    for word, text, (length, got) in zip(known, listing, decode(known, xlen)):
        n += 1
        want = expected(word, *text)
        want = ("".join(sorted(want[0])),) + want[1:]
        got = ("".join(sorted(got[0])),) + got[1:]
        if got != want or length != (4 if word & 3 == 3 else 2):
            wrong.append(f"{word:#x} {' '.join(text)}: {got}, not {want}")
    long = [w for w in every if not has_size(w)]
    for word, (length, got) in zip(long, decode(long, xlen)):
        if length != 4 or got != NOTHING:
            wrong.append(f"{word:#x} is longer than 32 bits: {got}")
    return wrong, n


def main():
    results = asserted.Results()
    for xlen in (32, 64):
        wrong, n = compare(xlen)
        more = [f"{len(wrong)} differences"] if len(wrong) > 20 else []
        results.add(not wrong, f"rv{xlen}: decode agrees with the disassembler",
                    wrong[:20] + more, compared=n)
    return results.done()


if __name__ == "__main__":
    sys.exit(main())
