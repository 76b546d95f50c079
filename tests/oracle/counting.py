# SPDX-License-Identifier: BSD-2-Clause
"""Programs that count: random filters, inhibition, delegation and overflows,
and what the counters say of a walk through all modes.

QEMU from 10.0 on counts exactly with icount, where a cycle is an instruction,
so every number must be the same. What it does otherwise is either not provoked
(NOT_PROVOKED) or known to the instruction: the generator says how many more
QEMU has counted when a number is recorded, and no other difference passes.
"""
from program import Program

STEPS = 16
STEP = 0x57e90000
HPM = range(3, 8)
CYCLE, INSTRET = 0, 2
OF = 1 << 63

# Each mode: privilege, V, its xINH bit.
MODES = {"U": (0, 0, 60), "S": (1, 0, 61), "M": (3, 0, 62),
         "VU": (0, 1, 58), "VS": (1, 1, 59)}

# Numbers of CSRs that an older assembler does not know.
NUMBERS = {"mcyclecfg": 0x321, "minstretcfg": 0x322, "mcyclecfgh": 0x721,
           "minstretcfgh": 0x722, "menvcfg": 0x30a, "menvcfgh": 0x31a,
           "mstatush": 0x310, "scountovf": 0xda0, "siselect": 0x150,
           "sireg": 0x151, "sireg2": 0x152, "sireg4": 0x155, "sireg5": 0x156,
           "scountinhibit": 0x120, "mcountinhibit": 0x320,
           "hcounteren": 0x606, "hideleg": 0x603, "hedeleg": 0x602,
           "vsatp": 0x280, "hgatp": 0x680,
           **{f"mhpmevent{n}h": 0x720 + n for n in range(3, 32)}}

# What QEMU counts that was not retired or not to be counted: rule, why.
KNOWN = {
    "trap": ("C119", "an instruction that traps is counted as retired"),
    "read": ("C118", "an instruction that reads a counter sees itself counted"),
    "interrupt": ("C176", "taking an interrupt costs a cycle here"
                  " (trap-cycles), and none in QEMU"),
}

# What no program does, for QEMU is wrong by more than can be said: rule, why.
NOT_PROVOKED = [
    ("mhpmevent_op", "one counter for each event, and a counter that is given"
     " another event keeps the old one, too"),
    ("smcntrpmf_cfg_op", "a filter that changes under a running counter is"
     " applied to what was counted before"),
    ("scountinhibit_op", "clears bits that are not delegated: programs that"
     " write it have everything delegated"),
    ("C111", "an overflow is found by a timer that knows of no filters: it is"
     " armed where nothing is filtered"),
    ("smcntrpmf_cfg_op", "on RV32 filters are kept, but not applied, and LCOFI"
     " does not always come: programs for RV32 have neither"),
]


class Counter:
    """What the generator knows of a counter: not its value."""

    def __init__(self, number, instructions):
        self.number, self.instructions = number, instructions
        self.inhibited, self.filtered = True, set()
        self.more = 0           # so much QEMU's value is ahead

    def name(self):
        """The CSR of M-mode."""
        return {CYCLE: "mcycle", INSTRET: "minstret"}.get(
            self.number, f"mhpmcounter{self.number}")

    def of_user(self):
        """The CSR of the lower modes."""
        return {CYCLE: "cycle", INSTRET: "instret"}.get(
            self.number, f"hpmcounter{self.number}")

    def counts(self, mode):
        """Does it count in this mode?"""
        return not self.inhibited and mode not in self.filtered


class Counting(Program):
    """A program of such steps."""

    def __init__(self, seed, xlen):
        super().__init__(seed, xlen)
        cycles, instructions = self.random.sample(HPM, 2)
        self.counters = [Counter(CYCLE, False), Counter(INSTRET, True),
                         Counter(cycles, False), Counter(instructions, True)]
        self.expected = []      # per step: (name, how much QEMU is ahead)
        self.delegated = False
        for _ in range(STEPS):
            self.begin()
            self.pick(self.walk, self.walk, self.walk if xlen == 32
                      else self.overflow)()
            self.finish()

    # pieces of text

    def write(self, csr, value):
        """Write a CSR."""
        self.li(5, value)
        self.emit(f"csrw {NUMBERS.get(csr, csr)}, x5")

    def write64(self, csr, value):
        """Write a CSR of 64 bits whole."""
        self.write(csr, value)
        if self.xlen == 32:
            self.write(csr + "h", value >> 32)

    def record(self, csr, more):
        """Record a CSR of 64 bits at the end of a step."""
        self.emit(f"put_csr {NUMBERS.get(csr, csr)}")
        self.expected[-1].append((csr, more))
        if self.xlen == 32:
            high = csr + "h"
            self.emit(f"put_csr {NUMBERS.get(high, high)}")
            self.expected[-1].append((high, 0))

    def begin(self):
        """Everything stands and is as at reset."""
        n = len(self.notes)
        self.notes.append("")
        self.expected.append([])
        self.delegated = self.chance(50)
        self.emit(f"step_{n}:", f"li x5, {STEP + n:#x}", "put x5",
                  "la x15, scratch")
        self.write("mcountinhibit", -1)
        for csr in ("mcounteren", "hcounteren", "scounteren"):
            self.write(csr, -1)
        for csr in ("mie", "mip", "medeleg", "hedeleg", "mideleg", "hideleg",
                    "satp", "vsatp", "hgatp"):
            self.write(csr, 0)
        high = "menvcfg" if self.xlen == 64 else "menvcfgh"
        cde = self.delegated << (60 if self.xlen == 64 else 28)
        self.write(high, cde)

    def set_up(self, counter, value, filtered=()):
        """Give a standing counter its value, event and filter."""
        inh = sum(1 << MODES[m][2] for m in filtered)
        n = counter.number
        cfg = {CYCLE: "mcyclecfg", INSTRET: "minstretcfg"}.get(
            n, f"mhpmevent{n}")
        event = 0 if n < HPM[0] else 2 if counter.instructions else 1
        self.write64(cfg, inh | event)
        self.write64(counter.name(), value)
        counter.inhibited, counter.filtered = True, set(filtered)
        counter.more = 0

    def inhibit(self, standing, csr="mcountinhibit"):
        """Let these counters stand and the others run."""
        self.write(csr, sum(1 << c.number for c in standing))
        for c in self.counters:
            c.inhibited = c in standing

    def some_counters(self, percent):
        """Some of them."""
        return [c for c in self.counters if self.chance(percent)]

    def work(self, n):
        """Instructions of which every one retires."""
        for _ in range(n):
            self.emit(self.pick(
                "addi x10, x10, 3", "mul x11, x10, x12", "lw x13, 0(x15)",
                "sw x10, 4(x15)", "xor x12, x12, x10", "nop",
                ".option rvc\nc.addi x10, 1\n.option norvc",
                "amoadd.w x13, x10, (x15)", "fence"))

    def some_work(self):
        """Straight on, or a loop."""
        if self.chance(50):
            self.work(self.random.randrange(30))
            return
        at = self.label()
        self.emit(f"li x14, {self.random.randrange(1, 60)}", f"{at}:")
        self.work(self.random.randrange(6))
        self.emit("addi x14, x14, -1", f"bnez x14, {at}")

    # what happens in a mode

    def read(self, mode):
        """A counter, read where it counts, kept until the end."""
        c = self.random.choice(self.counters)
        name = c.name() if mode == "M" else c.of_user()
        high = self.xlen == 32 and self.chance(50)
        self.emit(f"csrr x5, {name}{'h' * high}", "put x5")
        return (f"{name}{'h' * high} in {mode}", 0 if high else c.more + c.counts(mode))

    def write_counter(self, mode):
        """A counter, written where it may count."""
        c = self.random.choice(self.counters)
        if self.xlen == 32 or mode != "M":
            return None
        self.write(c.name(), self.bits(self.pick(8, 31, 62)))
        c.more = 0
        return None

    def act(self, mode):
        """One thing that a mode does; what it records."""
        what = self.pick("work", "work", "read", "write", "stop", "sireg",
                         "trap")
        delegated = mode == "S" and self.delegated
        if what == "read":
            return self.read(mode)
        if what == "write":
            return self.write_counter(mode)
        if what == "stop" and (mode == "M" or delegated):
            self.inhibit(self.some_counters(40),
                         "mcountinhibit" if mode == "M" else "scountinhibit")
        elif what == "sireg" and delegated:
            return self.sireg()
        elif what == "trap" and mode == "M":
            self.trap(mode, self.pick("ecall", "ebreak", ".word 0"))
        else:
            self.some_work()
        return None

    def sireg(self):
        """A delegated counter, read through the window of S-mode."""
        c = self.random.choice(self.counters)
        self.write("siselect", 0x40 + c.number)
        self.emit(f"csrr x5, {NUMBERS['sireg']}", "put x5")
        return (f"{c.name()} by sireg in S", c.more + c.counts("S"))

    def trap(self, mode, insn):
        """An instruction that traps to M-mode, which goes on behind it."""
        back = self.label()
        self.emit(f"la x28, {back}", insn, f"{back}:")
        self.trapped(mode)

    def trapped(self, mode):
        """QEMU counts it as retired."""
        for c in self.counters:
            c.more += c.instructions and c.counts(mode)

    def interrupted(self):
        """LCOFI was taken, and recorded by its handler."""
        self.expected[-1] += [(f"LCOFI {what}", 0)
                              for what in ("to", "xcause", "xepc", "xPP")]
        for c in self.counters:
            c.more -= not c.instructions

    def acts(self, mode):
        """Some things in one mode."""
        self.note(mode)
        for _ in range(self.random.randrange(4)):
            told = self.act(mode)
            if told:
                self.expected[-1].append(told)

    def excursion(self, mode):
        """From M to another mode and back by a trap."""
        priv, virtual, _ = MODES[mode]
        there, back = self.label(), self.label()
        self.emit(f"la x28, {back}", f"la x5, {there}", "csrw mepc, x5")
        if self.xlen == 32:
            self.write("mstatush", virtual << 7)
        self.write("mstatus", priv << 11 | virtual << 39 & self.mask
                   | self.pick(0, 0x80))
        self.emit("mret", f"{there}:")
        self.acts(mode)
        self.emit(self.pick("ecall", ".word 0"), f"{back}:")
        self.trapped(mode)

    def nested(self):
        """From M to S, from there to U and back to S and M."""
        s, u, in_s, back = (self.label() for _ in range(4))
        self.write("medeleg", 1 << 8)
        self.emit(f"la x28, {back}", f"la x29, {in_s}", f"la x5, {s}",
                  "csrw mepc, x5")
        if self.xlen == 32:
            self.write("mstatush", 0)
        self.write("mstatus", 1 << 11)
        self.emit("mret", f"{s}:", f"la x5, {u}", "csrw sepc, x5")
        self.acts("S")
        self.emit("li x5, 0x100", "csrc sstatus, x5", "sret", f"{u}:")
        self.acts("U")
        self.emit("ecall", f"{in_s}:")
        self.trapped("U")
        self.acts("S")
        self.emit("ecall", f"{back}:")
        self.trapped("S")
        self.write("medeleg", 0)

    # kinds of steps

    def walk(self):
        """Through the modes with random filters, no overflow near."""
        for c in self.counters:
            filtered = [m for m in MODES if self.chance(30)]
            self.set_up(c, self.pick(0, 5, self.bits(31), self.bits(60)),
                        filtered if self.xlen == 64 else ())
        self.inhibit(self.some_counters(20))
        for _ in range(self.random.randrange(1, 7)):
            mode = self.pick("nested", *MODES)
            if mode == "M":
                self.acts("M")
            elif mode == "nested":
                self.nested()
            else:
                self.excursion(mode)

    def overflow(self):
        """One counter overflows in a run of some mode."""
        armed = self.random.choice(self.counters[2:])
        for c in self.counters:
            self.set_up(c, self.bits(40))
        away = self.random.randrange(8, 150)
        self.set_up(armed, -away)
        mode = self.pick("M", "S", "U")
        to_s = mode != "M" and self.chance(50)
        self.note(f"{mode} {'instructions' if armed.instructions else 'cycles'}"
                  f" {away} away, LCOFI to {'S' if to_s else 'M'}")
        self.write("mideleg", to_s << 13)
        self.write("mie", 1 << 13)
        there, back = self.label(), self.label()
        self.emit(f"la x28, {back}", f"la x5, {there}", "csrw mepc, x5")
        if self.xlen == 32:
            self.write("mstatush", 0)
        self.write("mstatus", MODES[mode][0] << 11 | 0x80
                   | (0x2 if to_s else 0))
        self.inhibit([])
        self.emit("mret", f"{there}:")
        self.work(170)
        self.interrupted()
        self.emit("ecall", f"{back}:")
        self.trapped(mode)

    def finish(self):
        """Stop, and record everything."""
        self.inhibit(self.counters)
        for c in self.counters:
            self.record(c.name(), c.more)
        for c in self.counters[2:]:
            self.record(f"mhpmevent{c.number}", 0)
        self.emit("csrr x5, mip", "li x6, 0x2000", "and x5, x5, x6", "put x5",
                  f"put_csr {NUMBERS['scountovf']}")
        self.expected[-1] += [("mip.LCOFIP", 0), ("scountovf", 0)]

    def parse(self, words):
        """Steps of (name, value, how far QEMU is ahead)."""
        steps = []
        for n, expected in enumerate(self.expected):
            if not words or words[0] != STEP + n:
                break
            names = [name for name, _ in expected]
            more = [more for _, more in expected]
            steps.append(list(zip(names, words[1:], more)))
            words = words[1 + len(expected):]
        return steps

    def source(self):
        """The whole program."""
        text = ['#include "count-harness.S"', "steps:"] + self.lines
        return "\n".join(text + ["j finish"]) + "\n"


def differences(ours, theirs, p):
    """(step, name, what QEMU should say, what it says) where it does not."""
    out = []
    for n in range(len(p.notes)):
        a = ours[n] if n < len(ours) else []
        b = theirs[n] if n < len(theirs) else []
        if len(a) != len(p.expected[n]) or len(b) != len(a):
            out.append((n, "values recorded", len(a), len(b)))
            break
        for (name, x, more), (_, y, _) in zip(a, b):
            want = (x + more) & p.mask
            out += [(n, name, want, y)] if want != y else []
    return out
