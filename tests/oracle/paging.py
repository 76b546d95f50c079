# SPDX-License-Identifier: BSD-2-Clause
"""Random page tables, and where an address leads in them.

Each program has one set of tables that all its translation schemes share: the
root of Sv39 is what entry 0 of the roots of Sv48 and Sv57 points to. Three
entries are always there, or no handler could run: the code for S-mode where it
is, for U-mode at an alias, and a second alias for S-mode.
"""
V, R, W, X, U, G, A, D = (1 << n for n in range(8))
FULL = V | R | W | X | A | D

PAGES, N_PAGES = 0x80100000, 8
TABLES = 0x80110000
ALIAS = 0x140000000     # S-mode's second view of the code, RV64
ALIAS32 = 0xa0000000


class Tables:
    """The page tables of one program."""

    def __init__(self, p):
        self.p = p
        self.xlen = p.xlen
        self.size = p.xlen // 8
        self.per_page = 4096 // self.size
        self.bits = 9 if p.xlen == 64 else 10
        self.pages = {}
        self.used = []          # virtual addresses worth trying, per mode
        if p.xlen == 64:
            self.make64()
        else:
            self.make32()

    def table(self, n):
        """Address and entries of table n."""
        return TABLES + n * 4096, self.pages.setdefault(
            n, [0] * self.per_page)

    def set(self, n, index, pa, flags):
        """Write one entry."""
        self.table(n)[1][index] = (pa >> 12) << 10 | flags

    def leaf_flags(self):
        """Flags of a leaf, likely valid ones."""
        p = self.p
        flags = p.pick(R, R | X, X, R | W, R | W | X, R | W, R | W | X)
        flags |= p.pick(0, U) | p.pick(0, 0, G) | p.pick(0, A, A, A | D, D)
        flags |= p.bits(2) << 8 if p.chance(10) else 0
        if not p.chance(5):
            flags |= V
        if p.chance(4):
            flags = p.bits(8)
        if p.chance(3) and self.xlen == 64:
            flags |= 1 << p.random.randrange(54, 64)
        return flags

    def leaf(self, n, index, level):
        """A leaf that maps data pages, or nothing that is there."""
        p = self.p
        size = 4096 << self.bits * level
        if level == 0:
            pa = PAGES + p.random.randrange(N_PAGES) * 4096
        else:
            pa = PAGES & -size
            if p.chance(10):
                pa += 4096 * p.random.randrange(1, 512)
        if p.chance(4):
            pa = p.pick(0x90000000 & -size, 0x3800000 & -size,
                        0x3000_0000_0000 & -size if self.xlen == 64 else
                        0x90000000 & -size)
        self.set(n, index, pa, self.leaf_flags())

    def pointer(self, n, index, to):
        """A pointer to the next table, now and then a bad one."""
        p = self.p
        pa = TABLES + to * 4096
        flags = V
        if p.chance(3):
            flags |= p.pick(U, A, D, G, G, 0x100)
        if p.chance(2):
            flags &= ~V
        if p.chance(3):
            pa = p.pick(0x3800000, 0x90000000)
        self.set(n, index, pa, flags)

    def fill(self, n, level, children, indexes):
        """Random entries of a table."""
        for index in indexes:
            if children and self.p.chance(60):
                self.pointer(n, index, self.p.random.choice(children))
            else:
                self.leaf(n, index, level)

    def make64(self):
        """Table 0: Sv57, 1: Sv48, 2: Sv39, 3-6: 2 MiB, 7-13: pages."""
        leaves = list(range(7, 14))
        self.pointer_good(0, 0, 1)
        self.pointer_good(1, 0, 2)
        self.fill(0, 4, [1, 2], [1, 254, 255, 256, 511])
        self.fill(1, 3, [2, 3, 4, 5, 6], [1, 2, 255, 256, 511])
        self.fill(2, 2, [3, 4, 5, 6], [0, 1, 4, 6, 7, 8, 255, 256, 510, 511])
        for n in range(3, 7):
            self.fill(n, 1, leaves, [0, 1, 2, 3, 4, 5, 6, 7, 511])
        for n in leaves:
            self.fill(n, 0, [1] if self.p.chance(5) else [],
                      list(range(16)) + [510, 511])
        self.set(2, 2, 0x80000000, FULL)
        self.set(2, 3, 0x80000000, FULL | U)
        self.set(2, 5, 0x80000000, FULL)

    def make32(self):
        """Table 0: root, the rest pages."""
        leaves = list(range(1, 14))
        self.fill(0, 1, leaves, list(range(0, 24)) + [511, 513, 1022, 1023])
        for n in leaves:
            self.fill(n, 0, [], list(range(16)) + [1022, 1023])
        self.set(0, 0x200, 0x80000000, FULL)
        self.set(0, 0x300, 0x80000000, FULL | U)
        self.set(0, 0x280, 0x80000000, FULL)

    def pointer_good(self, n, index, to):
        """A pointer that always works."""
        self.set(n, index, TABLES + to * 4096, V)

    # addresses

    def root(self, mode):
        """Table and number of levels of a scheme, by satp.MODE."""
        return {1: (0, 2), 8: (2, 3), 9: (1, 4), 10: (0, 5)}[mode]

    def satp(self, mode):
        """satp for it."""
        ppn = (TABLES >> 12) + self.root(mode)[0]
        asid = self.p.bits(9 if self.xlen == 32 else 16)
        if self.xlen == 32:
            return 1 << 31 | asid << 22 | ppn
        return mode << 60 | asid << 44 | ppn

    def canonical(self, mode, va):
        """Sign-extend what the scheme translates."""
        if self.xlen == 32:
            return va & 0xffffffff
        top = 12 + 9 * self.root(mode)[1]
        va &= (1 << top) - 1
        return va | -(va >> (top - 1)) << top & (1 << 64) - 1

    def walk(self, mode, va):
        """The physical address and level, or nothing; permissions aside."""
        n, levels = self.root(mode)
        if self.canonical(mode, va) != va:
            return None
        for level in reversed(range(levels)):
            index = va >> 12 + self.bits * level & self.per_page - 1
            entry = self.pages.get(n, [0] * self.per_page)[index]
            if not entry & V or entry >> 54:
                return None
            pa = (entry >> 10) << 12
            if entry & (R | X):
                size = 4096 << self.bits * level
                return pa & -size | va & size - 1, level
            n = (pa - TABLES) // 4096
            if not 0 <= n < 14:
                return None
        return None

    def address(self, mode):
        """Follow random entries down to an address."""
        n, levels = self.root(mode)
        va = 0
        for level in reversed(range(levels)):
            table = self.pages.get(n, [0] * self.per_page)
            choices = [i for i, e in enumerate(table) if e]
            index = self.p.random.choice(choices or [0])
            va |= index << 12 + self.bits * level
            entry = table[index]
            if entry & (R | X) or not entry & V:
                if level:       # the part of it where the data pages are
                    size = 4096 << self.bits * level
                    va |= PAGES & size - 1 & ~0x7fff
                    va += self.p.random.randrange(N_PAGES) * 4096
                break
            n = (entry >> 10) - (TABLES >> 12)
            if not 0 <= n < 14:
                break
        return self.canonical(mode, va)

    def text(self):
        """All tables as assembler."""
        word = ".dword" if self.xlen == 64 else ".word"
        out = []
        for n in range(14):
            entries = self.pages.get(n, [0] * self.per_page)
            for i in range(0, self.per_page, 8):
                out.append(word + " " + ", ".join(
                    f"{e & (1 << self.xlen) - 1:#x}"
                    for e in entries[i:i + 8]))
        return out
