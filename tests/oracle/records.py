# SPDX-License-Identifier: BSD-2-Clause
"""What a program printed, as steps of named values, and how two differ."""
import known
from program import FREE, SNAPSHOT

STEP, TRAP_M, TRAP_S, END = 0x57e90000, 0x4d000000, 0x53000000, 0x0e000000
HAS_PAGES, HAS_FLOATS, HAS_FS = 1, 2, 0x6000
OF_PAGES = ("data pages", "page tables")


def _trap(n, letter, word, names, values):
    name = f"trap {n}"
    return [(f"{name} {letter} entry", word & 0xffff)] + \
        list(zip([f"{name} {x}" for x in names], values))


def _end_names(xlen, what):
    names = ["fcsr"] if what & HAS_FS else []
    if what & HAS_FS and what & HAS_FLOATS:
        names += [f"f{n}" if xlen == 64 else f"f{n}{half}"
                  for n in range(32) for half in
                  (("",) if xlen == 64 else ("", "h"))]
    return names + (list(OF_PAGES) if what & HAS_PAGES else [])


def parse(words, xlen):
    """A list of steps, each a list of (name, value)."""
    steps, i, traps = [], 0, 0
    first = [f"x{n}" for n in FREE] + SNAPSHOT + ["what follows"]
    while i < len(words):
        word = words[i]
        i += 1
        if word >> 16 == STEP >> 16:
            steps.append([])
            traps = 0
        elif not steps:
            break
        elif word >> 16 == TRAP_M >> 16:
            steps[-1] += _trap(traps, "M", word, (
                "mcause", "mepc", "mtval", "mstatus", "mip"), words[i:i + 5])
            i, traps = i + 5, traps + 1
        elif word >> 16 == TRAP_S >> 16:
            steps[-1] += _trap(traps, "S", word, (
                "scause", "sepc", "stval", "sstatus", "mstatus"),
                words[i:i + 5])
            i, traps = i + 5, traps + 1
        else:
            names = first
            if len(words) >= i + len(first):
                names = first + _end_names(xlen, words[i + len(first) - 1])
            steps[-1] += list(zip(names, words[i:i + len(names)]))
            i += len(names)
    return steps


def _ebreaks(step):
    """Addresses of all breakpoint exceptions of a step."""
    return {step[i + 1][1] for i, (name, value) in enumerate(step[:-1])
            if value == 3 and name.endswith("cause")
            and name.startswith("trap")}


def _causes(a, b, i):
    """The causes of the trap in which two steps part, if it is one."""
    out = []
    for step in (a, b):
        out += [value for name, value in step[i:i + 2]
                if name.startswith("trap") and name.endswith("cause")][:1]
    return tuple(out)


def _step(n, a, b, note, found):
    """Compares one step; True if it parted in a known way."""
    context = {"ebreaks": _ebreaks(a), "note": note}
    for i in range(max(len(a), len(b))):
        x = a[i] if i < len(a) else ("nothing", 0)
        y = b[i] if i < len(b) else ("nothing", 0)
        if x == y:
            continue
        if x[0] == y[0] and known.allowed(x[0], x[1], y[1], context):
            continue
        if known.parts(_causes(a, b, i), context):
            return True
        found.append((n, x[0] if x[0] == y[0] else f"{x[0]}/{y[0]}",
                      x[1], y[1]))
        if x[0] != y[0]:
            break
    return False


def differences(ours, theirs, notes):
    """(step, name, ours, theirs) of all that is not the same."""
    out, parted = [], False
    for n in range(max(len(ours), len(theirs))):
        a = ours[n] if n < len(ours) else []
        b = theirs[n] if n < len(theirs) else []
        if parted:      # memory may not be the same any more
            a, b = ([x for x in s if x[0] not in OF_PAGES] for s in (a, b))
        parted |= _step(n, a, b, notes[n], out)
        parted |= any(x[1] in OF_PAGES for x in out)
    return out
