# SPDX-License-Identifier: BSD-2-Clause
"""What the tests with Linux share: its payload, a boot, and what a trace saw.

A boot runs a script in the guest, with nobody at the keyboard, and must end by
switching the machine off. Where there is no payload, for want of a compiler or
of an archive, the whole program is skipped and says why; where CI is set in the
environment it fails.
"""
import bisect
import collections
import contextlib
import dataclasses
import functools
import hashlib
import heapq
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import bench  # noqa: E402 - found by the line above
from bench import PMUCTL, WORK, holds, same  # noqa: E402,F401

PAYLOAD = pathlib.Path(__file__).resolve().parent / "payload"
# Half of a boot's time is in these, and nothing here needs them.
FAST = ("initcall_blacklist=jent_mod_init,load_system_certificate_list,"
        "bpf_tcp_ca_kfunc_init,init_kprobe_trace,bpf_dummy_struct_ops_init,"
        "latency_fsnotify_init cryptomgr.notests")
# Which of Debian's kernels and perf, where a test does not say it itself.
SUITE = os.environ.get("PMU_LINUX_SUITE", "trixie")
LONG = 1800  # seconds: for what would hang otherwise
bench.LONG = LONG  # a boot takes minutes where others use the host, too
POINTS = 64  # of a run that is explained
LCOFI = 13
PMU = 0x504d55
CONFIG_MATCHING, START, STOP = 2, 3, 4
RESET = 1  # a flag of STOP
PERIOD = 4999  # misses
ROUND = 65536  # loads of a round of `pmutest miss', each of another line
# What perf stat -d -d -d asks of hardware, in its order.
ASKED = ["cycles", "instructions", "branches", "branch-misses",
         "L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads",
         "LLC-load-misses", "L1-icache-loads", "L1-icache-load-misses",
         "dTLB-loads", "dTLB-load-misses", "iTLB-loads", "iTLB-load-misses",
         "L1-dcache-prefetches", "L1-dcache-prefetch-misses"]


def cannot_run(why):
    """End the program: who waits for its results is told that there are none."""
    if os.environ.get("CI") not in (None, "", "false"):
        print(f"Bail out! with CI set nothing is skipped: {why}")
        sys.exit(1)
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


@functools.lru_cache(maxsize=None)
def payload(what, suite=SUITE):
    """Return the path of a part of the payload; without it all is skipped."""
    done = subprocess.run([PAYLOAD, "--suite", suite, what], check=False,
                          capture_output=True, text=True)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        cannot_run(f"tests/linux/payload {what} of {suite}: {why}")
    return done.stdout.strip()


@dataclasses.dataclass
class Boot:
    """A run: its console without what the kernel says, and its trace."""
    text: str
    trace: pathlib.Path
    stat: dict

    def section(self, name):
        """Return what the script printed behind "== name"."""
        found = re.search(rf"^== {re.escape(name)}\n(.*?)(?=^== |\Z)",
                          self.text, re.M | re.S)
        holds(found, f"no section {name} in:\n{self.text[-3000:]}")
        return found[1]

    @property
    def insns(self):
        """Return the instructions that all harts retired."""
        return sum(int(t["value"]) for t in self.stat["totals"]
                   if t["event"] == "instructions")

    @functools.cached_property
    def overflows(self):
        return list(records(self.trace, "overflow"))

    @functools.cached_property
    def interrupts(self):
        """Return the records of overflow interrupts that were taken."""
        return [r for r in records(self.trace, "trap")
                if r["trap"]["interrupt"] and r["trap"]["cause"] == LCOFI]

    @functools.cached_property
    def calls(self):
        """Return the records of calls of the PMU extension."""
        return [r for r in records(self.trace, "sbi")
                if int(r["sbiCall"]["eid"]) == PMU]


def records(trace, kind):
    """Yield a trace's records of a kind, numbers of 64 bits made numbers."""
    done = subprocess.run([PMUCTL, "trace", "show", "-j", "-k", kind, trace],
                          check=True, capture_output=True)
    for line in done.stdout.splitlines():
        record = json.loads(line)
        for name in ("cycle", "insn", "pc"):
            record[name] = int(record[name])
        yield record


def opensbi():
    """Return Debian's OpenSBI, if it is there, and newer ones that are."""
    name = "usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"
    fetched = sorted(pathlib.Path(bench.SOURCE, ".deps").glob("opensbi-*"))
    return [path / name for path in (pathlib.Path("/"), *fetched)
            if (path / name).exists()]


def staged(script, what="tiny", suite=SUITE):
    """Options that load what a kernel runs: a script."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    (folder / "stage").write_text(script)
    return ["--initrd", payload(what, suite), "--add",
            f"{folder}/stage:/stage"]


def loaded(script, what="tiny", suite=SUITE):
    """Options that load a kernel with a script, which it runs."""
    return ["--kernel", payload("kernel", suite),
            *staged(script, what, suite)]


def boot(script, what="tiny", harts=1, suite=SUITE, options=(), append="",
         replay=None, record=None):
    """Run a script in a machine with Linux; the script must succeed.

    From @replay, a trace, come the kernel's arguments and all input. With
    @record, options of that verb, the trace has samples, and there is no stat.
    """
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    trace, stat = folder / "trace", folder / "stat"
    command = ["run", "--batch", *loaded(script, what, suite), "--harts",
               str(harts), *map(str, options)]
    if record:
        command = ["record", *map(str, record), "-o", trace, "--", *command]
    else:
        command += ["--json", "--stat", "-o", stat, "--trace", trace]
    command += (["--replay", replay] if replay else
                ["--append", f"quiet {FAST} {append}".strip()])
    done = subprocess.run([PMUCTL, *command], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=LONG, env=bench.environment())
    text = done.stdout.decode(errors="replace").replace("\r", "")
    why = f"{done.stderr.decode(errors='replace')[-1000:]}\n{text[-4000:]}"
    same(done.returncode, 0, why)
    holds("\nstage: status 0\n" in text, why)
    return Boot(text, trace, {} if record else json.loads(stat.read_text()))


@contextlib.contextmanager
def held(script, what="tiny", harts=1, options=(), suite=SUITE, files=()):
    """A machine that does what that of boot() does, but stands at first.

    Into the guest go @files, too, each as --add has it.
    """
    with bench.daemon() as d:
        m = d.pmuctl("machine", "create", "--harts", harts, "--memory",
                     "512MiB", "--no-reboot", "--console", "uart", *options,
                     "--append", f"panic=-1 quiet {FAST}").text().strip()
        d.pmuctl("machine", "load", m, *loaded(script, what, suite),
                 *(word for file in files for word in ("--add", file)))
        d.pmuctl("machine", "start", m, "--paused")
        yield d, m


def typed_at_shell(text, suite=SUITE):
    """Return what is on the console of a shell that is typed at."""
    # what comes before the driver has opened the UART is cleared by it
    return bench.pmuctl(
        "run", "--kernel", payload("kernel", suite), "--initrd",
        payload("tiny", suite), "--append", f"quiet {FAST}",
        stdin=(32 * "\n" + text).encode()).text().replace("\r", "")


def digest(path):
    """Return what two files have in common if they are the same."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def alike(one, other):
    """Fail unless instructions, console and every record are the same."""
    same(one.insns, other.insns)
    same(one.text, other.text)
    recorded_alike(one, other)


def recorded_alike(one, other):
    """Fail unless every record is the same."""
    done = subprocess.run([PMUCTL, "trace", "diff", one.trace, other.trace],
                          check=False, capture_output=True, text=True)
    same(done.returncode, 0, done.stdout + done.stderr)


# What pmutest says of each event that it samples.
SAMPLED = re.compile(r"^# period (\d+): (\d+) counted, (\d+) samples$", re.M)


def sampled(text):
    """Return (period, counted, samples) of each event that was sampled."""
    return [tuple(map(int, m)) for m in SAMPLED.findall(text)]


def served(run):
    """Yield each overflow interrupt with the overflows that it samples.

    Where a counter was taken from its event between the overflow and the
    interrupt, because its thread went to sleep or the event ended, Linux knows
    of the overflow no more: "dropped" of such a record is true.
    """
    waiting = {}
    resets = [r for r in run.calls if int(r["sbiCall"]["fid"]) == STOP and
              int(r["sbiCall"]["args"][2]) & RESET]
    for record in heapq.merge(run.overflows, resets, run.interrupts,
                              key=lambda r: r["cycle"]):
        mine = waiting.setdefault(record["hart"], [])
        if "overflow" in record:
            record["dropped"] = False
            mine.append(record)
        elif "trap" in record:
            yield record, [o for o in mine if not o["dropped"]]
            mine.clear()
        else:
            base, mask = (int(a) for a in record["sbiCall"]["args"][:2])
            for overflow in mine:
                counter = overflow["overflow"]["counter"]
                overflow["dropped"] |= bool(mask << base >> counter & 1)


def kept(run):
    """Return the interrupts that sample, each with its overflows."""
    return [s for s in served(run) if s[1]]


def explained(run, script, counter, cycles):
    """Repeat a run; yield what is said of a counter of hart 0 at each cycle."""
    out = pathlib.Path(tempfile.mkdtemp(dir=WORK)) / "explained"
    for first in range(0, len(cycles), POINTS):
        points = (word for c in cycles[first:first + POINTS]
                  for word in ("--at", f"cycle:{c}"))
        bench.pmuctl("run", "--replay", run.trace, *loaded(script), "--json",
                     "--explain", f"0:{counter}", *points, "-o", out)
        text, decoder = out.read_text(), json.JSONDecoder()
        while text:
            found, end = decoder.raw_decode(text)
            yield found
            text = text[end:].lstrip()


@dataclasses.dataclass
class Late:
    """A sample whose counter went on for a whole period or more."""
    interrupt: dict
    overflow: dict
    cycles: int
    periods: int


@dataclasses.dataclass
class Window:
    """What a sampling event's counter did: interrupts with overflows."""
    period: int
    served: list
    stops: dict  # of each hart, the cycles at which its counters were stopped
    dropped: int  # overflows whose event was just being taken off

    def late(self):
        """List what counted on, up to where the kernel stopped it."""
        found = []
        for interrupt, overflows in self.served:
            stops = self.stops[interrupt["hart"]]
            stop = stops[bisect.bisect(stops, interrupt["cycle"])]
            for overflow in overflows:
                cycles = stop - overflow["cycle"]
                if cycles >= self.period:
                    found.append(Late(interrupt, overflow, cycles,
                                      cycles // self.period + 1))
        return found


def listing(late):
    """Yield lines on late interrupts: where they were taken, and how often."""
    where = collections.defaultdict(list)
    for one in late:
        where[one.interrupt["pc"]].append(one)
    for pc, found in sorted(where.items()):
        yield (f"pc {pc:#x}: {len(found)} interrupts, up to "
               f"{max(one.cycles for one in found)} cycles late, first at "
               f"cycle {found[0].interrupt['cycle']}: at most "
               f"{sum(one.periods for one in found)} periods fell together")


def windows(run, periods):
    """Part a run by its sampling events, which come one after the other.

    That of period n begins where a counter that was just configured is started
    at -n. Where it is started anew, for its thread was away, it goes on.
    """
    starts, fresh = [], False
    for record in run.calls:
        call = record["sbiCall"]
        fresh = fresh or int(call["fid"]) == CONFIG_MATCHING
        if int(call["fid"]) == START and fresh:
            fresh = False
            if len(starts) < len(periods) and \
                    (1 << 64) - int(call["args"][3]) == periods[len(starts)]:
                starts.append(record["cycle"])
    same(len(starts), len(periods), "events that sample")
    found = kept(run)
    stops = collections.defaultdict(list)
    for record in run.calls:
        if int(record["sbiCall"]["fid"]) == STOP:
            stops[record["hart"]].append(record["cycle"])
    return [Window(period, [s for s in found if begin <= s[0]["cycle"] < end],
                   stops, sum(o["dropped"] for o in run.overflows
                              if begin <= o["cycle"] < end))
            for period, begin, end in
            zip(periods, starts, [*starts[1:], 1 << 64])]


# A row of perf stat -x,: number or why there is none, unit, event
STAT = re.compile(r"^([\d.]+|<[\w ]+>),[^,]*,([\w:-]+),", re.M)


def counts(text):
    """Return (event, number or what stands there) of perf stat -x, in order."""
    return [(e, int(v) if v.isdigit() else v) for v, e in STAT.findall(text)]


def tap(text):
    """Yield (name, sentence, passed) of pmutest's results."""
    for m in re.finditer(r"^(not )?ok \d+ - ([\w-]+): (.*)$", text, re.M):
        yield m[2], m[3], m[1] is None
