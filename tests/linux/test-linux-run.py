#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How a run with Linux goes on and ends: a reboot, a panic, all that was printed."""
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from base64 import b64decode

import linux
from linux import FAST, WORK, holds, loaded, same

import bench  # found by linux
from bench import pmuctl

RTC_BASE = 1000000000
NAP = 100  # seconds, behind which it is the second boot
REBOOTS = f"""
now=$(cat /sys/class/rtc/rtc0/since_epoch)
echo == boot $((now - {RTC_BASE})) $(cut -d. -f1 /proc/uptime) $(nproc)
pmutest test around
[ $now -ge {RTC_BASE + NAP} ] && poweroff -f
sleep {NAP}
reboot -f
"""
LINES = 3000
PRINTS = f"seq {LINES}; poweroff -f"
SLEEP = 5  # seconds
SLEEPS = f"sleep {SLEEP}; echo == slept; poweroff -f"
SPEAKS = "echo == said; seq 100"
PROMPT = b"~ # "
TYPED = b"cat /proc/uptime\npmutest test around\nexit\n"
RESTS = 3  # seconds: so long nobody types
PANICS = """
echo == before
echo c >/proc/sysrq-trigger
echo == behind
"""


def run(script, *options, code=0, **more):
    """Run a script that ends by itself; what was printed."""
    done = pmuctl("run", *loaded(script), "--append", f"quiet {FAST}",
                  *options, code=code, **more)
    return done, done.out.decode(errors="replace").replace("\r", "")


def reboots(*options, code=0):
    """Idle time is skipped; nobody types."""
    return run(REBOOTS, "--set", f"rtc-base={RTC_BASE}", "--set", "pace=none",
               *options, code=code)


@functools.lru_cache(maxsize=None)
def rebooted(*options):
    trace = pathlib.Path(tempfile.mkdtemp(dir=WORK), "trace")
    return reboots("--trace", trace, *options)[1], trace


def boots(text):
    """Return (seconds of the clock, of the kernel, harts, instructions) of each.
    """
    return [tuple(map(int, found)) for found in re.findall(
        r"^== boot (\d+) (\d+) (\d+)\n"
        r"# instructions:u of loop \d+: (\d+)\nok 1 ", text, re.M)]


def boots_twice(*options, harts=1, kind="COLD"):
    text, trace = rebooted(*options)
    first, second = boots(text)
    same(first[:3], (0, 0, harts))
    same(second[1:3], (0, harts))
    # firmware takes its time, too
    holds(second[0] in (NAP, NAP + 1), second)
    same(second[3], first[3])
    holds("reboot: Restarting system" in text and "Power down" in text, text)
    found = list(linux.records(trace, "reset"))
    same([r["reset"]["kind"] for r in found], [f"KIND_{kind}"])
    holds(found[0]["cycle"] > NAP * 10**9, found)


def is_repeated(*options, images=()):
    text, trace = rebooted(*options)
    again = trace.with_name("again")
    done = pmuctl("run", "--replay", trace, "--trace", again, *images,
                  *loaded(REBOOTS))
    same(done.text().replace("\r", ""), text)
    holds(again.read_bytes() == trace.read_bytes(), "traces differ")


def test_a_reboot_is_a_boot_again_and_the_clock_goes_on():
    boots_twice()


def test_a_run_with_a_reboot_is_repeated_from_its_trace():
    is_repeated()


def test_two_harts_boot_again():
    boots_twice("--harts", "2", harts=2)
    is_repeated("--harts", "2")


def firmware():
    found = linux.opensbi()
    if not found:
        raise bench.Skipped("no OpenSBI: the package opensbi is not installed")
    return "--bios", found[0]


def test_firmware_boots_again_as_it_was_loaded():
    # it stores to the finisher
    boots_twice(*firmware(), "--harts", "2", harts=2, kind="DEVICE")
    same(rebooted(*firmware(), "--harts", "2")[0].count("OpenSBI v"), 2)
    is_repeated(*firmware(), "--harts", "2", images=firmware())


def test_a_reboot_that_is_not_wanted_ends_the_run():
    done, text = reboots("--no-reboot", code=122)
    same(len(boots(text)), 1)
    holds(b"the run ended: reboot" in done.err, done)


def test_a_panic_of_a_batch_run_ends_it_with_a_failure():
    done, text = run(PANICS, "--batch", code=122)
    holds("== before\n" in text and "== behind" not in text, text)
    holds("Kernel panic - not syncing: sysrq triggered crash" in text, text)
    holds(b"the run ended: reboot" in done.err, done)


def test_all_that_was_printed_is_out_at_power_off():
    # nobody waits for the UART, which the driver's queue is for
    _, text = run(PRINTS, "--batch")
    same([int(line) for line in text.splitlines() if line.isdigit()],
         list(range(1, LINES + 1)))


def paced(trace):
    """Run as for a user who types nothing; return how long it took."""
    begin = time.monotonic()
    running = bench.start(
        "run", *loaded(SLEEPS), "--append", f"panic=-1 quiet {FAST}", "--set",
        "pace=real", "--no-reboot", "--trace", trace, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = running.stdout.read().decode()
    same(running.wait(timeout=bench.LONG), 0, text)
    running.stdin.close()
    running.stdout.close()
    holds("== slept\r\n" in text, text)
    return time.monotonic() - begin


def test_a_paced_run_has_the_trace_of_one_that_is_not():
    trace, batch = WORK / "paced.trace", WORK / "batch.trace"
    # longer than a boot takes; there is no bound from above
    holds(paced(trace) >= SLEEP, "it did not sleep")
    run(SLEEPS, "--batch", "--trace", batch)
    holds(trace.read_bytes() == batch.read_bytes(), pmuctl(
        "trace", "diff", trace, batch, code=(0, 1)))


def shell():
    return ["--kernel", linux.payload("kernel"), "--initrd",
            linux.payload("tiny")]


@dataclasses.dataclass
class Typed:
    """What was seen of a shell, and seconds: of its life, its rest, used there."""
    seen: bytes
    life: float
    rest: float
    used: float


def rested():
    """Type nothing for a while; return (seconds, of them of a processor)."""
    pids = bench.mine()
    used, begin = bench.processor_time(pids), time.monotonic()
    time.sleep(RESTS)
    return time.monotonic() - begin, bench.processor_time(pids) - used


@functools.lru_cache(maxsize=None)
def typed(trace):
    """Type at a shell key by key, as a user who looks at each."""
    begin = time.monotonic()
    running = bench.start(
        "run", *shell(), "--append", f"quiet {FAST}", "--set", "pace=real",
        "--trace", trace, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, bufsize=0)
    seen, life = b"", None

    def look():
        nonlocal seen
        more = os.read(running.stdout.fileno(), 4096)
        holds(more, seen)
        seen += more

    def find_prompt():
        while PROMPT not in seen.rpartition(b"\n")[2]:
            look()
    find_prompt()
    rest = rested()
    for key, before in zip(TYPED, b" " + TYPED):
        if before == ord("\n"):
            find_prompt()
            life = life or time.monotonic() - begin
        running.stdin.write(bytes([key]))
        look()
    seen += running.stdout.read()
    same(running.wait(timeout=bench.LONG), 0, seen)
    running.stdin.close()
    running.stdout.close()
    return Typed(seen, life, *rest)


TYPED_TRACE = WORK / "typed.trace"


def test_a_shell_at_which_nobody_types_rests_as_long_as_the_host():
    found = typed(TYPED_TRACE)
    uptime = float(re.search(rb"^([\d.]+) [\d.]+\r$", found.seen, re.M)[1])
    # an instruction takes a ns, of which the host may need less
    computed = max(int(r["insn"]) for r in
                   linux.records(TYPED_TRACE, "input")) / 10**9
    holds(RESTS <= uptime <= found.life + computed, (uptime, found))
    holds(found.used <= found.rest / 4, found)


def test_what_is_typed_at_a_shell_is_replayed_to_the_byte():
    first, again = TYPED_TRACE, WORK / "typed-again.trace"
    seen = typed(first).seen
    text = seen.decode().replace("\r", "")
    same([passed for _, _, passed in linux.tap(text)], [True], text)
    came = [(int(r["input"]["cycle"]), b64decode(r["input"]["console"]))
            for r in linux.records(first, "input")]
    # at moments of their own, but for some that may have come together
    holds(len({cycle for cycle, _ in came}) > TYPED.count(b"\n"), came)
    same(b"".join(keys for _, keys in came), TYPED)
    done = pmuctl("run", "--replay", first, "--trace", again, *shell())
    same(done.out, seen)
    holds(again.read_bytes() == first.read_bytes(), "traces differ")


def kernel_of_calls(*options):
    """Return the kernel's instructions in ten thousand getppid()."""
    text = linux.boot("pmutest test modes; true", options=options).text
    return int(re.search(r"getppid: user \d+, kernel (\d+)", text)[1])


def test_a_seed_in_the_tree_spares_each_call_the_slow_path():
    with_seed = kernel_of_calls()
    without = kernel_of_calls("--set", "rng-seed=none")
    holds(without > 10 * with_seed, (with_seed, without))


def test_without_a_uart_what_programs_print_comes_by_the_firmware():
    done = pmuctl("run", *loaded(SPEAKS), "--batch", "--console", "dbcn",
                  "--append", f"loglevel=5 printk.time=0 {FAST}")
    text = done.text().replace("\r", "")
    holds("\n== said\n" + "".join(f"{n}\n" for n in range(1, 101)) +
          "stage: status 0\n" in text, text)
    holds("reboot: Power down\n" in text, text)


if __name__ == "__main__":
    linux.payload("tiny")
    sys.exit(linux.bench.main(globals()))
