# SPDX-License-Identifier: BSD-2-Clause
"""What the tests of exports share: traces, and what these have natively.

What a reader says of an export is compared with the trace's own records, which
`trace show` prints. A made trace has what no guest of ours does: several harts
and address spaces at once, and names that formats cannot bear.
"""
import bisect
import collections
import json
import re
import shutil
import subprocess

import bench
from bench import GUESTS, WORK, holds, pmuctl

GUEST = GUESTS["overflow-rv64"]
UNKNOWN = "[unknown]"
S, U = 2, 3
PAGE_TABLE = 8 << 60  # satp.MODE: Sv39


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    """One field of a message, as protobuf has it."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def overflow(cycle, pc, event=b"cycles", hart=0, mode=S, satp=0):
    inner = field(1, 3) + field(4, event) + field(7, pc)
    return field(2, field(1, cycle) + field(2, cycle) + field(3, hart) +
                 field(4, mode) + field(5, pc + 4) + field(6, inner) +
                 field(20, satp))


def sample(cycle, pc, event=b"cycles", mode=S, satp=0, periods=1):
    """One that an observer left."""
    inner = field(1, 2) + field(2, event) + field(3, 100) + \
        field(4, periods) + field(6, pc)
    return field(2, field(1, cycle) + field(2, cycle) + field(4, mode) +
                 field(5, pc + 4) + field(17, inner) + field(20, satp))


HEADER = field(1, field(1, 1) + field(4, 500_000_000) + field(5, 10_000_000) +
               field(6, 64))
HOSTILE = b'a;b"c\\d<e>&\x01\xff \xc3\xa9\n'
SPACES = [PAGE_TABLE | 0x80100, PAGE_TABLE | 7 << 44 | 0x80200]


def made_records():
    """Nine thousand samples of two harts, users and a kernel.

    And observers', the one with the name that a counter's event has.
    """
    for i in range(9000):
        mode = U if i % 4 else S
        yield overflow(100 * i, 0x10000 + 4 * (i % 50),
                       [b"cycles", b"L1-dcache-load-misses", HOSTILE, b""]
                       [i % 7 % 4], i % 2, mode,
                       SPACES[i // 1000 % 2] if mode == U else 0)
        if i % 9 == 0:
            yield sample(100 * i, 0x20000 + i % 7 * 4,
                         [b"cycles", b"branches:u"][i % 2], U, SPACES[0],
                         1 + i % 5)


def write(name, *parts):
    path = WORK / name
    path.write_bytes(HEADER + b"".join(parts))
    return path


def made():
    path = WORK / "made.trace"
    return path if path.exists() else write("made.trace", *made_records())


def traced():
    path = WORK / "real.trace"
    if not path.exists():
        pmuctl("run", "--trace", path, GUEST)
    return path


def shown(trace, *args):
    """Overflows and samples as `trace show` has them."""
    done = pmuctl("-j", "trace", "show", "-k", "overflow,sample", *args,
                  trace)
    return [json.loads(l) for l in done.out.splitlines()]


def name_of(r):
    return r.get("function", UNKNOWN)


def said_of(r):
    return r["overflow"] if "overflow" in r else r["sample"]


def recorded(r):
    """The hostile one has a byte that is no UTF-8, which JSON says all the same."""
    event = re.sub("[\uef80-\uefff]", lambda m: chr(ord(m[0]) - 0xef00 + 0xdc00),
                   said_of(r)["event"])
    hostile = event.encode(errors="surrogateescape") == HOSTILE
    return "hostile" if hostile else event or UNKNOWN


def event_of(r):
    """Where overflows and samples of an event stand beside each other."""
    if "sample" in r and r["sample"]["event"] == "cycles":
        return "cycles (sample)"  # not added up with a counter's
    return recorded(r)


def weight_of(r):
    return int(r["sample"]["periods"]) if "sample" in r else 1


def pc_of(r):
    return int(said_of(r)["lastPc"])


def space_of(r):
    """As exports name it: the mode, and of users the address space."""
    mode = r["privilege"].rpartition("_")[2]
    satp = int(r["satp"]) & ~(0xffff << 44)
    return f"{mode} satp {satp:#x}" if satp and mode == "U" else mode


def counted(rows, *keys):
    """How many by some keys; one that stands for several is several."""
    found = collections.Counter()
    for r in rows:
        found[tuple(k(r) for k in keys)] += weight_of(r)
    return found


def export(form, trace, *args, **more):
    return pmuctl("trace", "export", "--format", form, *args, trace, **more)


def both():
    """The two traces and what is said of each."""
    yield traced(), ["--symbols", GUEST]
    yield made(), []


def folded_name(text):
    """Of what a line of folded stacks cannot bear, a '?'."""
    return re.sub(r"[\x00-\x1f\x7f;]", "?", text)


def plain(event):
    """An event as a format made it, the hostile one as `event_of` has it."""
    return "hostile" if re.match("a.b", event) else event


def records(trace, *args):
    done = pmuctl("-j", "trace", "show", *args, trace)
    return [json.loads(l) for l in done.out.splitlines()]


STARTED, STOPPED, WAITING, WOKEN = 1, 2, 3, 4


def waits():
    """Two harts that wait: from 0 to 4 and from 7 on, and from 2 to 5.

    So many times 1000 cycles, of which there are 500 million in a second.
    """
    changes = [(0, WAITING), (1, STARTED), (1, WAITING), (1, WAITING),
               (0, WOKEN), (1, WOKEN), (1, WOKEN), (0, WAITING)]
    return write("waits.trace", *(
        field(2, field(2, 1000 * i) + field(3, hart) + field(4, S) +
              field(11, field(1, what)))
        for i, (hart, what) in enumerate(changes)))


SSE, COMPLETE = 0x535345, 6


def spans():
    """What lasts: handlers of software events in each other, and overflows that wait.

    Of a hart that stops in a handler, of one that was begun before the trace and of a
    call that was refused there is no end, and at a reboot all ends.
    """
    def record(at, number, inner, hart=0):
        return field(2, field(2, 500 * at) + field(3, hart) + field(4, S) +
                     field(number, inner))

    def change(at, what, hart=0):
        return record(at, 11, field(1, what), hart)

    def enter(at, event, counters=0, cycles=()):
        return record(at, 22, field(1, 2) + field(4, event) + field(5, counters) +
                      field(6, b"".join(varint(500 * c) for c in cycles)))

    def complete(at, refused=False):
        return record(at, 8, field(1, SSE) + field(2, COMPLETE) +
                      field(6, int(refused)))

    return write(
        "spans.trace", change(0, STARTED), complete(1), enter(10, 1),
        enter(20, 0x10000, 1 << 3 | 1 << 7, (15, 18)), complete(25, refused=True),
        complete(30), change(35, WAITING), change(45, WOKEN), complete(50),
        record(60, 22, field(1, 1) + field(5, 1 << 3) + field(6, varint(500 * 55))),
        enter(65, 2), change(70, STOPPED), change(75, STARTED), complete(77),
        change(80, STARTED, hart=1), change(85, WAITING, hart=1),
        record(90, 13, field(1, 1)), change(90, STARTED), complete(94),
        record(95, 12, field(1, 1)))


# Group, row, name, when it begins and ends: of the above
SPANS = [
    (1, 0, "started", 0, 70), (1, 0, "software event 0x1", 10, 50),
    (1, 0, "software event 0x10000", 20, 30), (1, 0, "waiting", 35, 45),
    (1, 0, "started", 75, 90), (1, 1, "started", 80, 90),
    (1, 1, "waiting", 85, 90), (1, 0, "started", 90, 95),
    (2, 3, "overflow", 15, 20), (2, 7, "overflow", 18, 20),
    (2, 3, "overflow", 55, 60)]


def needs(program, package):
    """The real reader of a format, without which nothing is shown."""
    holds(shutil.which(program),
          f"{program} is missing: scripts/setup installs it, package {package}")


def perf(*args):
    done = subprocess.run(
        ["perf", *map(str, args)], check=True, capture_output=True,
        timeout=bench.LONG,
        env=bench.environment(HOME=str(WORK), PERF_CONFIG="/dev/null",
                              PAGER="cat"))
    return done.stdout.decode("latin-1")


def unwound():
    """A trace whose samples have callers, found by unwind tables."""
    path, to = WORK / "stacks.trace", WORK / "callers.trace"
    if not to.exists():
        pmuctl("record", "-e", "cycles,branches:s", "-c", 1009, "--stack",
               "4K", "-o", path, "--", "run", GUEST)
        pmuctl("trace", "unwind", "--symbols", GUEST, path, to)
    return to


def by_frames():
    """One with callers by frame pointers, as far as the guest has them."""
    path = WORK / "frames.trace"
    if not path.exists():
        pmuctl("record", "-e", "cycles", "-c", 499, "-g", "-o", path, "--",
               "run", GUEST)
    return path


def functions():
    text = subprocess.run(
        ["riscv64-unknown-elf-nm", "-n", "--defined-only", GUEST],
        check=True, capture_output=True, timeout=bench.LONG).stdout.decode()
    return sorted((int(address, 16), name) for address, name in
                  re.findall(r"^(\w+) [tTwW] (.+)$", text, re.M))


FUNCTIONS = []


def function_at(pc):
    """Its name and first address."""
    if not FUNCTIONS:
        FUNCTIONS.extend(functions())
    start, name = FUNCTIONS[bisect.bisect_left(FUNCTIONS, (pc + 1, "")) - 1]
    return name, start


def samples(trace):
    done = pmuctl("-j", "trace", "show", "-k", "sample", trace)
    return [json.loads(line) for line in done.out.splitlines()]


def chain(r):
    """Addresses, the outermost first; of callers one within the call."""
    s = r["sample"]
    return [int(c) - 1 for c in reversed(s.get("callers", []))] + \
        [int(s["lastPc"])]


def stack(r):
    return (r["sample"]["event"], r["privilege"].rpartition("_")[2],
            *(function_at(pc)[0] for pc in chain(r)))


def stacks(trace):
    """How many samples by stack; there are deep ones."""
    found = collections.Counter()
    for r in samples(trace):
        found[stack(r)] += int(r["sample"]["periods"])
    holds(found)
    return found
