#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl run --kernel: placement, /chosen, consoles, reboots, their traces.

The guest is tests/guests/kernel.c, an Image from outside.
"""
import gzip
import re
import sys

import bench
from bench import GUESTS, ISAS, WORK, holds, pmuctl, same

OFFSET = {"rv64": 0x200000, "rv32": 0x400000}
BASE = 0x80000000
MIB = 1 << 20
UART = "earlycon console=ttyS0"
DBCN = "earlycon=sbi keep_bootcon console=tty0 printk.devkmsg=on"
# what must give one trace, whatever engine ran it
WAYS = [["engines=2"], ["engines=1"], ["step-only=on"],
        ["engines=1", "host-slice=1"]]


def kernel(isa):
    return GUESTS[f"kernel-{isa}"]


def options(isa):
    return ["--set", f"xlen={isa[2:]}", "--kernel", kernel(isa)]


def write(name, data):
    path = WORK / name
    path.write_bytes(data)
    return path


def boots(done):
    """What the guest says of each boot: name to number or text."""
    found = []
    for line in done.text().splitlines():
        number = re.fullmatch(r"(.+) 0x([0-9a-f]+)", line)
        text = re.fullmatch(r"(.+) \[(.*)\]", line)
        holds(number or text, done)
        if number and number[1] == "kernel":
            found.append({})
        if number:
            found[-1][number[1]] = int(number[2], 16)
        else:
            found[-1][text[1] + " text"] = text[2]
    return found


def test_a_kernel_finds_what_it_was_given():
    initrd = write("initrd", b"abcdefgh")
    for isa in ISAS:
        done = pmuctl("run", *options(isa), "--initrd", initrd, "--append",
                      "a=b then=q")
        boot, = boots(done)
        same(boot["kernel"], BASE + OFFSET[isa])
        same(boot["device tree"], 0)
        same(boot["bootargs text"], f"{UART} a=b then=q")
        same(boot["initrd"], BASE + OFFSET[isa] + 2 * MIB)
        same(boot["to"], boot["initrd"] + 8)
        same(boot["initrd text"], "abcd")
        holds(b"kernel: 0x%x-" % boot["kernel"] in done.err, done)
        holds(b"initrd: 0x%x-" % boot["initrd"] in done.err, done)
        holds(b"snapshot=auto is off for a kernel" in done.err, done)


def test_the_command_line_is_the_consoles_and_the_users():
    rows = [(["--console", "dbcn"], f"{DBCN} then=q"),
            (["--batch"], f"{UART} panic=-1 then=q"),
            (["--console", "uart", "--no-reboot"], f"{UART} then=q")]
    for given, want in rows:
        boot, = boots(pmuctl("run", *options("rv64"), *given, "--append",
                             "then=q"))
        same(boot["bootargs text"], want)


def test_a_kernel_of_gzip_is_decompressed():
    with open(kernel("rv64"), "rb") as file:
        packed = write("Image.gz", gzip.compress(file.read()))
    boot, = boots(pmuctl("run", "--kernel", packed, "--append", "then=q"))
    same(boot["kernel"], BASE + OFFSET["rv64"])
    cut = write("cut.gz", packed.read_bytes()[:-9])
    done = pmuctl("run", "--kernel", cut, code=1)
    holds(b"cut.gz: the gzip file is cut off or damaged" in done.err, done)


def test_files_are_added_to_the_initrd():
    added = write("added", b"#!/bin/sh\n")
    boot, = boots(pmuctl("run", *options("rv64"), "--add", f"{added}:/init",
                         "--append", "then=q"))
    same(boot["initrd text"], "0707")
    initrd = write("initrd", b"abcdefgh")
    boot, = boots(pmuctl("run", *options("rv64"), "--initrd", initrd, "--add",
                         f"{added}:/init", "--append", "then=q"))
    same(boot["initrd text"], "abcd")
    same((boot["to"] - boot["initrd"]) % 4, 0)


def test_memory_that_is_too_small_is_told():
    big = write("big", bytes(6 * MIB))
    for args, text in (
            (["--memory", "2M"], b"needs more than 2 MiB of memory, the "
             b"machine has 2 MiB"),
            (["--memory", "8M", "--initrd", big],
             b"the initrd (0x600000 bytes, 0x400000 behind the base of RAM) "
             b"needs more than 9 MiB of memory, the machine has 8 MiB")):
        done = pmuctl("run", *options("rv64"), *args, code=2)
        holds(text in done.err, done)


def test_the_user_s_own_tree_gets_what_the_start_adds():
    tree = WORK / "tree.dtb"
    with bench.daemon() as d:
        name = d.pmuctl("machine", "create").text().strip()
        d.pmuctl("machine", "dtb", "--output", tree, name)
    boot, = boots(pmuctl("run", *options("rv64"), "--memory", "128M", "--dtb",
                         tree, "--initrd", write("initrd", b"abcd"),
                         "--append", "then=q"))
    same(boot["bootargs text"], f"{UART} then=q")
    same(boot["initrd text"], "abcd")


def test_a_machine_that_stays_boots_a_kernel():
    with bench.daemon() as d:
        name = d.pmuctl("machine", "create", "--console", "uart", "--append",
                        "then=q").text().strip()
        d.pmuctl("machine", "load", name, "--kernel", kernel("rv64"))
        d.pmuctl("machine", "load", name, "--initrd", write("initrd", b"rd"))
        d.pmuctl("machine", "start", name)
        d.pmuctl("machine", "wait", name)
        boot, = boots(d.pmuctl("machine", "console", name))
        same(boot["bootargs text"], f"{UART} then=q")
        same(boot["initrd text"], "rd")
        shown = d.pmuctl("machine", "settings", name).text()
        holds(re.search(r"memory +512MiB", shown), shown)
        holds(re.search(r"reboot +on", shown), shown)


def test_a_kernel_goes_on_without_its_run_when_detached():
    with open(kernel("rv64"), "rb") as file:
        packed = write("Image.gz", gzip.compress(file.read()))
    given = ["--kernel", packed, "--append", "a=b"]
    with bench.daemon() as d:
        name = d.pmuctl("run", "--detach", *given, "--initrd",
                        write("initrd", b"abcd")).text().strip()
        same(d.show(name)["detached"], True)
        d.pmuctl("machine", "attach", name, stdin=b"cq")
        first, second = boots(d.pmuctl("machine", "console", name))
        same(second, first)
        same(first["bootargs text"], f"{UART} a=b")
        same(first["initrd text"], "abcd")
        settings = d.pmuctl("machine", "settings", name).text()
        holds(re.search(r"memory +512MiB", settings), settings)


def rebooted(name, *args, isa="rv64", keys=b"wcfq"):
    trace = WORK / name
    done = pmuctl("run", *options(isa), "--trace", trace, *args, stdin=keys)
    return done, trace


def test_behind_a_reboot_all_is_as_at_the_start():
    for isa in ISAS:
        done, trace = rebooted("reboots", "--harts", "2", "--set", "isa=" + (
            "rv64gc" if isa == "rv64" else "rv32imac"), isa=isa)
        first, *others = boots(done)
        same(len(others), 3, done)
        for boot in others:
            same(boot, first)
        same(first["data"], 7)
        same(first["hart 1"], 1)
        shown = pmuctl("trace", "show", "--kind", "reset", trace).text()
        same(re.findall(r"reset (\w+)", shown), ["warm", "cold", "device"])


def test_the_clock_and_totals_go_on_behind_a_reboot():
    _, trace = rebooted("goes-on", "--record", "all")
    lines = pmuctl("-j", "trace", "show", trace).text().splitlines()
    records = [bench.json.loads(line) for line in lines]
    records = [r for r in records if "insn" in r or "cycle" in r]
    for key in ("insn", "cycle"):
        numbers = [int(r.get(key, 0)) for r in records]
        same(numbers, sorted(numbers))
    kinds = [r["reset"]["kind"] for r in records if "reset" in r]
    same(kinds, ["KIND_WARM", "KIND_COLD", "KIND_DEVICE"])


def test_a_run_with_reboots_is_replayed_byte_for_byte():
    for harts in ("1", "2"):
        _, trace = rebooted("once", "--harts", harts)
        again = WORK / "again"
        pmuctl("run", "--replay", trace, "--kernel", kernel("rv64"), "--trace",
               again)
        same(again.read_bytes() == trace.read_bytes(), True)


def test_reboots_are_the_same_in_every_engine():
    want = None
    for settings in WAYS:
        sets = [word for s in settings for word in ("--set", s)]
        done, trace = rebooted("way", *sets, "--append", "x", keys=b"wcfq")
        # input comes when the host brings it: only what follows is compared
        del trace
        want = want or boots(done)
        same(boots(done), want)


def test_a_reboot_that_is_not_wanted_ends_with_a_status_of_its_own():
    for word in "cwf":
        for given in (["--no-reboot"], ["--batch"],
                      ["--set", "reboot=off"]):
            done = pmuctl("run", *options("rv64"), *given, "--append",
                          f"then={word}", code=122)
            same(len(boots(done)), 1)
            holds(b"the run ended: reboot" in done.err, done)


def test_a_plain_image_ends_with_a_reboot_unless_told_otherwise():
    flat = ["--flat", BASE + OFFSET["rv64"], kernel("rv64")]
    done = pmuctl("run", *flat, stdin=b"c", code=122)
    same(len(boots(done)), 1)
    done = pmuctl("run", "--set", "reboot=on", *flat, stdin=b"cq")
    same(len(boots(done)), 2)


def test_a_batch_run_reads_nothing():
    done = pmuctl("run", *options("rv64"), "--batch", "--max-insns", "200k",
                  stdin=b"q", code=124)
    same(len(boots(done)), 1)


def test_a_kernel_is_counted_and_sampled():
    run = ["--", "run", *options("rv64"), "--batch", "--max-insns", "200k"]
    done = pmuctl("stat", "-e", "instructions", *run, code=124)
    same(len(boots(done)), 1)
    holds(re.search(rb"^ *200000 +instructions", done.err, re.M), done)
    path = WORK / "kernel.trace"
    pmuctl("record", "-e", "instructions", "-c", "50k", "-o", path, *run,
           code=124)
    shown = pmuctl("trace", "show", "--kind", "sample", path).text()
    same(shown.count(" sample "), 4)


def test_options_that_do_not_go_together_are_told():
    image = kernel("rv64")
    for args, text in (
            ([], b"an IMAGE, --kernel or --bios is needed"),
            (["--kernel", image, image], b"exclude each other"),
            (["--kernel", image, "--console", "hvc0"], b"'hvc0' is not uart"),
            (["--kernel", image, "--flat", "0x80200000"], b"--flat is for"),
            (["--kernel", image, "--add", "init"], b"is not FILE:PATH")):
        done = pmuctl("run", *args, code=2)
        holds(text in done.err, done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
