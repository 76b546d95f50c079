# SPDX-License-Identifier: BSD-2-Clause
"""Linux in KVM in Linux in a machine, and what is known of it from outside.

The guest's harts and console are those of tests/linux/vmm. Its initial file
system is one of the payload's, with a script of its own.
"""
import collections
import heapq
import pathlib
import re
import tempfile

import linux
import newc
from linux import PMU, START, STOP, WORK, CONFIG_MATCHING, holds, payload, same

MACHINE = ["--memory", "768M", "--set", "h=on", "--set", "smaia=on", "--set",
           "ssaia=on"]
MEMORY = 192  # MiB of the guest
# No console, so that it writes to the kernel's log, whose lines are shown.
APPEND = ("loglevel=5 earlycon=sbi keep_bootcon console=none0 "
          f"printk.devkmsg=on printk.time=0 {linux.FAST}")
INSTRUCTIONS = 2  # SBI's number of the event
NOT_GUESTS = 0x18  # flags of CONFIG_MATCHING: neither VU nor VS
COUNTED = "instructions:G", "instructions:H"


def initrd(script, what):
    """Return a file: one of the payload's, and a script for it."""
    stage = newc.Archive()
    stage.file("stage", script.encode())
    path = pathlib.Path(tempfile.mkdtemp(dir=WORK)) / "initrd"
    path.write_bytes(pathlib.Path(payload(what)).read_bytes() + stage.pack())
    return path


def added(script, what):
    """Options that bring what a guest of KVM takes into a machine."""
    for path, name in ((payload("kvm"), "kvm.ko"), (payload("vmm"), "vmm"),
                       (payload("nested"), "nested"),
                       (payload("kernel"), "Image"),
                       (initrd(script, what), "inside")):
        yield from ("--add", f"{path}:/guest/{name}")


def stage(harts):
    """The outer script: a guest without Linux, then one with it; all counted."""
    return f"""
cd /guest
insmod kvm.ko || exit
cat >both <<'END'
echo == bare
./vmm 1 64 nested - '' || exit
echo == inside
./vmm {harts} {MEMORY} Image inside '{APPEND}'
END
perf stat -x, -o /tmp/stat -a {" ".join(f"-e {e}" for e in COUNTED)} \\
    sh both || exit
echo == around
cat /tmp/stat
"""


def together(script, appends, inside="tiny"):
    """Run a script in guests at once, which differ in what is appended; texts."""
    count = range(len(appends))
    lines = ["cd /guest", "insmod kvm.ko || exit"]
    for i, append in zip(count, appends):
        lines.append(f"./vmm 1 {MEMORY} Image inside '{APPEND} {append}' "
                     f">/tmp/{i} & pid{i}=$!")
    lines += [f"wait $pid{i} || exit" for i in count]
    lines += [f"echo == guest {i}; cat /tmp/{i}" for i in count]
    run = linux.boot("\n".join(lines), "slim", options=[
        *MACHINE, "--memory", f"{512 + MEMORY * len(appends)}M",
        *added(script, inside)])
    texts = [run.section(f"guest {i}") for i in count]
    for text in texts:
        holds("stage: status 0\n" in text, text)
    return texts


def boot(script, inside="tiny", harts=1, options=(), replay=None):
    """Run a script in Linux in Linux; it must succeed."""
    run = linux.boot(stage(harts), "slim", harts, options=[
        *MACHINE, *added(script, inside), *options], replay=replay)
    same(run.text.count("stage: status 0\n"), 2, run.text[-4000:])
    return run


def around(run):
    """Return what perf counted outside, of guests and of the rest."""
    found = linux.counts(run.section("around"))
    same([event for event, _ in found], list(COUNTED))
    return [count for _, count in found]


def total(run, *privileges):
    """Return the instructions of all harts in these privileges."""
    return sum(int(t["value"]) for t in run.stat["totals"]
               if t["event"] == "instructions" and
               t["privilege"] in {f"PRIVILEGE_{p}" for p in privileges})


def args(record):
    return [int(a) for a in record["sbiCall"]["args"]]


def fid(record):
    return int(record["sbiCall"]["fid"])


def chosen(record, counter):
    """Tell whether a call is of this counter."""
    base, mask = args(record)[:2]
    return counter is not None and mask << base >> counter & 1


def of_hart(calls):
    """Return the instructions between these calls while no guest's counted."""
    counter, begin, found = None, None, 0
    for record in calls:
        if fid(record) == CONFIG_MATCHING:
            given = int(record["sbiCall"]["value"])
            if args(record)[2:4] == [NOT_GUESTS, INSTRUCTIONS]:
                counter = given
            elif counter == given:
                counter = None
        elif not chosen(record, counter):
            continue
        elif fid(record) == START:
            begin = record["insn"]
        elif fid(record) == STOP and begin is not None:
            found += record["insn"] - begin
            begin = None
    return found


def windows(run):
    """Return each hart's instructions while those of no guest counted.

    The kernel takes the counter from the event and gives it back as events of
    its threads come and go. The calls do not retire, so the records' own
    numbers are the bounds.
    """
    calls = collections.defaultdict(list)
    for record in run.calls:
        calls[record["hart"]].append(record)
    return [of_hart(calls[hart]) for hart in sorted(calls)]


def overflows(run, period):
    """Return the pcs at which a guest's event of this period overflowed."""
    found, sampling = [], {}
    for record in heapq.merge(run.calls, run.overflows,
                              key=lambda r: r["cycle"]):
        if "overflow" in record:
            if sampling.pop((record["hart"],
                             record["overflow"]["counter"]), False):
                found.append(record["pc"])
        elif fid(record) == START:
            counter = record["hart"], args(record)[0]
            sampling[counter] = (1 << 64) - args(record)[3] == period
    return found


def bare(text):
    """Return {name: [numbers of each line]} of what the bare guest printed."""
    found = {}
    for name, numbers in re.findall(r"^([a-z][\w-]*)((?: -?\d+)+)$", text,
                                    re.M):
        found.setdefault(name, []).append([int(n) for n in numbers.split()])
    return found
