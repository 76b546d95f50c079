# SPDX-License-Identifier: BSD-2-Clause
"""Steps: accesses and fetches through page tables, or without any."""
import paging
from steps_csr import status, vectored

DATA_END = paging.PAGES + 6 * 4096     # behind it code is kept
EXEC_END = paging.PAGES + 8 * 4096

LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4, "flw": 4, "fld": 8}
LOADS64 = {"lwu": 4, "ld": 8}
STORES = {"sb": 1, "sh": 2, "sw": 4, "fsw": 4, "fsd": 8}
STORES64 = {"sd": 8}
AMOS = ["amoswap", "amoadd", "amoxor", "amoand", "amoor", "amomin", "amomax",
        "amominu", "amomaxu"]


def schemes(p):
    """satp.MODE of all schemes."""
    return [1] if p.xlen == 32 else [8, 9, 10]


def physical_ok(pa, size, fetch=False):
    """May this be touched, if it is reached?"""
    if not 0x80000000 <= pa < 0x88000000:
        # where neither machine has anything
        return 0x3800000 <= pa < 0x3fffff0 or \
            0x90000000 <= pa < 0xa0000000 or pa > 0x100_0000_0000
    if fetch:
        return DATA_END <= pa < EXEC_END - 8
    return paging.PAGES <= pa and pa + size <= DATA_END


def reaches(p, mode, va, size, fetch=False):
    """Does the access stay where it does no harm?"""
    for at in {va, va + size - 1 & p.mask}:
        found = p.tables_of.walk(mode, at) if mode else (at, 0)
        if found and not physical_ok(found[0], 1, fetch):
            return False
    return True


def fetch_offset(p):
    """Places of a page where an ecall is, or an instruction over its end."""
    return p.pick(0xffe, 2, p.random.randrange(1, 255) * 16)


def offset(p, size):
    """Places of a page: aligned, not aligned, over its end."""
    if p.chance(25):
        return 4096 - p.random.randrange(0, size + 1)
    at = p.random.randrange(0, 4096)
    return at if p.chance(30) else at & -size


def address(p, mode, size, fetch=False):
    """A virtual address to try; mode 0 is Bare."""
    while True:
        if p.chance(4):
            va = p.value()
        elif mode == 0:
            va = p.pick(*[paging.PAGES] * 6, 0x3800000, 0x90000000)
            va += p.random.randrange(8) * 4096
        else:
            va = p.tables_of.address(mode)
        va &= ~0xfff
        va += fetch_offset(p) if fetch else offset(p, size)
        va &= p.mask
        if mode and p.xlen == 64 and p.chance(3):
            va ^= 1 << p.random.randrange(30, 64)
        if va and reaches(p, mode, va, 4 if fetch else size, fetch):
            return va


def operation(p, mode, fetches=True):
    """One access; its result is in a register."""
    kind = p.pick("load", "load", "store", "store", "amo", "lrsc",
                  "fetch" if fetches else "load")
    rd = p.pick(5, 6, 7, 8, 9, 10)
    if kind == "fetch":
        va = address(p, mode, 4, fetch=True)
        p.li(16, va)
        p.emit("li x30, END_OF_STEP", "jalr x17, 0(x16)", "li x30, 0")
        p.note(f"fetch {va:#x}")
        return
    if kind == "load" or kind == "store":
        words = dict(LOADS if kind == "load" else STORES)
        if p.xlen == 64:
            words.update(LOADS64 if kind == "load" else STORES64)
        word = p.random.choice(sorted(words))
        va = address(p, mode, words[word])
        reg = f"f{rd}" if word[0] == "f" else f"x{rd}"
        small = p.pick(0, 0, p.random.randrange(-2048, 2048))
        p.li(16, va - small)
        p.emit(f"{word} {reg}, {small}(x16)")
        p.note(f"{word} {va:#x}")
        return
    width = p.pick("w", "d") if p.xlen == 64 else "w"
    size = 8 if width == "d" else 4
    va = address(p, mode, size)
    if p.chance(80):
        va &= -size
        if not va or not reaches(p, mode, va, size):
            return
    p.li(16, va)
    order = p.pick("", ".aq", ".rl", ".aqrl")
    if kind == "amo":
        word = p.random.choice(AMOS)
        p.emit(f"{word}.{width}{order} x{rd}, x11, (x16)")
        p.note(f"{word}.{width} {va:#x}")
    else:
        p.emit(f"lr.{width}{order} x{rd}, (x16)",
               f"sc.{width}{order} x12, x11, (x16)")
        p.note(f"lr.{width} {va:#x}")


def change_entry(p, mode):
    """M-mode writes one entry on the way to some address."""
    t = p.tables_of
    n = p.random.choice(sorted(t.pages))
    used = [i for i, e in enumerate(t.pages[n]) if e]
    index = p.random.choice(used)
    entry = t.pages[n][index]
    fixed = (t.root(mode)[0] == n and index == 0) or \
        (p.xlen == 64 and (n < 2 and index == 0 or
                           n == 2 and index in (2, 3, 5))) or \
        (p.xlen == 32 and n == 0 and index in (0x200, 0x280, 0x300))
    if fixed:
        return
    # page numbers stay, so that the tables still lead where they led
    new = entry & ~0xff | t.leaf_flags() & 0xff
    if not entry & 0xe and entry & 1:
        new = entry & ~0xff | p.pick(0, 1, 1 | 1 << p.random.randrange(4, 8))
    t.pages[n][index] = new
    p.li(5, paging.TABLES + n * 4096 + index * t.size)
    p.li(6, new)
    p.emit("sd x6, 0(x5)" if p.xlen == 64 else "sw x6, 0(x5)", "sfence.vma")
    p.note(f"pte {n}[{index}]={new:#x}")


def step_paged(p):
    """Accesses through page tables."""
    mode = p.random.choice(schemes(p))
    priv = p.pick("S", "S", "U", "U", "M")
    p.step(f"paged {priv} {mode}")
    p.hash_pages()
    for _ in range(p.random.randrange(3)):
        change_entry(p, mode)
    p.csrw("satp", p.tables_of.satp(mode))
    p.emit("sfence.vma", "fence.i")
    p.csrw("medeleg", p.pick(0, p.bits(16) & ~0xe00))
    vectored(p)
    value = status(p, below=True) & ~0x700000
    if priv == "M":
        p.enter("M", value)
        then = value & ~0x1800 | 0x20000 | p.pick(0, 0x800)
        p.csrw("mstatus", then)
        p.note(f"mstatus={then:#x}")
    else:
        p.note(f"mstatus={value:#x}")
        p.enter(priv, value, paged=True)
    for _ in range(p.random.randrange(1, 5)):
        operation(p, mode, priv != "M")
        if priv == "S" and p.chance(15):
            word = p.pick("csrs sstatus", "csrc sstatus")
            p.li(17, p.pick(0x40000, 0x80000, 0xc0000))
            p.emit(f"{word}, x17")
            p.note(word)
    p.end()


def step_bare(p):
    """Accesses to physical addresses."""
    priv = p.pick("M", "S", "U")
    p.step("bare " + priv)
    p.hash_pages()
    p.emit("fence.i")
    p.csrw("medeleg", p.pick(0, p.bits(16) & ~0xe00))
    vectored(p)
    p.enter(priv, status(p, below=True) & ~0x700000)
    for _ in range(p.random.randrange(1, 6)):
        operation(p, 0)
    p.end()


def step_smc(p):
    """Code that is written, fenced and run, through several addresses."""
    priv = p.pick("M", "S", "S")
    p.step("smc " + priv)
    p.hash_pages()
    place = paging.PAGES + 4 * 4096 + p.pick(0, 0x800, 0xff8, 0xffc)
    views = [place]
    if priv == "S":
        views.append(place - 0x80000000 + (
            paging.ALIAS if p.xlen == 64 else paging.ALIAS32))
        mode = p.random.choice(schemes(p))
        p.csrw("satp", p.tables_of.satp(mode))
        p.emit("sfence.vma")
    p.enter(priv, 0x6000)
    if place & 0xfff == 0xffc:
        views = [v - 2 for v in views]
    for _ in range(p.random.randrange(1, 8)):
        imm = p.random.randrange(-2048, 2048)
        word = (imm & 0xfff) << 20 | 10 << 15 | 10 << 7 | 0x13
        p.li(5, p.random.choice(views))
        p.li(6, word)
        p.li(7, 0x8067)                 # ret
        for i, reg in ((0, 6), (4, 7)):
            p.emit(f"sw x{reg}, {i}(x5)")
        p.emit("fence.i")
        p.li(5, p.random.choice(views))
        p.emit("jalr x1, 0(x5)")
        p.note(str(imm))
    p.li(1, 0)
    p.end()
