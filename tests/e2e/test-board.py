#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The board: what a guest finds, and traces of other boards."""
import base64
import sys

import bench
from bench import GUESTS, ISAS, WORK, holds, pmuctl, same

# Reads IIR twice with THRI enabled and sends what the second one says: 2 where
# the UART has no interrupt, else 1. From S-mode or M-mode.
#	lui s0, 0x10000; li t0, 2; sb t0, 1(s0); lbu t1, 2(s0); lbu t1, 2(s0)
#	addi t1, t1, '0'; sb t1, 0(s0)
#	lui t0, 0x100; lui t1, 5; addi t1, t1, 0x555; sw t1, 0(t0); j .
IIR_TWICE = bytes.fromhex(
    "3704001093022000a3005400034324000343240013030303"
    "23006400b7021000375300001303535523a062006f000000")
# Sends "s" and "t" by the second UART, and between them "c" by the first.
#	lui s0, 0x10001; li t0, 's'; sb t0, 0(s0)
#	lui s0, 0x10000; li t0, 'c'; sb t0, 0(s0)
#	lui s0, 0x10001; li t0, 't'; sb t0, 0(s0), and the end as above
TWO_PORTS = bytes.fromhex(
    "3714001093023007230054003704001093023006230054003714001093024007"
    "23005400b7021000375300001303535523a062006f000000")
# Says of registers of the PLIC, the RTC and the second UART whether they are 0, sets
# them, says it again, and reads a key: q ends the run, another one boots again.
#	lui s0, 0x10000; lui s1, 0x10001; lui s2, 0xc000; lui s3, 0x101
#	lui s4, 0xc200; lui s5, 0xc002; li s6, 2
#	again: j told
#	set: li t0, 5; sw t0, 40(s2)
#	li t0, 1024; sw t0, 0(s5); li t0, 3; sw t0, 0(s4); sw t0, 16(s3)
#	lui t1, 0x7ffff; sw t1, 12(s3); sw t1, 8(s3)
#	sb t0, 1(s1); sb t0, 3(s1); sb t0, 4(s1); sb t0, 7(s1); j again
#	told: lw a0, R; jal say, of 40(s2), 0(s5), 0(s4), 12(s3), 16(s3), 24(s3),
#	lbu of 1(s1), 3(s1), 4(s1), 7(s1)
#	addi s6, s6, -1; bnez s6, set
#	wait: lbu t0, 5(s0); andi t0, t0, 1; beqz t0, wait; lbu t0, 0(s0)
#	li t1, 'q'; lui t2, 0x100; li t3, 0x7777; bne t0, t1, end; li t3, 0x5555
#	end: sw t3, 0(t2); j .
#	say: snez a0, a0; addi a0, a0, '0'; sb a0, 0(s0); ret
SET_AND_BOOT = bytes.fromhex(
    "37040010b71400103709000cb7191000370a200cb72a000c130b20006f000004"
    "93025000232459029302004023a05a009302300023205a0023a8590037f3ff7f"
    "23a6690023a46900a3805400a381540023825400a38354006ff05ffc03258902"
    "ef00800803a50a00ef00000803250a00ef00800703a5c900ef00000703a50901"
    "ef00800603a58901ef00000603c51400ef00800503c53400ef00000503c54400"
    "ef00800403c57400ef000004130bfbffe3180bf68342540093f21200e38c02fe"
    "8342040013031007b7031000377e0000130e7e7763966200375e0000130e5e55"
    "23a0c3016f0000003335a000130505032300a40067800000")
# Recorded of the first one before there was the setting `board`, at 0c72b0e:
#	pmuctl run --mode m --flat 0x80000000 --trace FILE IMAGE
BEFORE = base64.b64decode("""
Cv8ECAESnwQIARCAgIBAGAIiCgoEeGxlbhICNjQiWQoDaXNhElJydjY0aW1hZmRjX3ppY250cl96
aWNzcl96aWZlbmNlaV96aWhwbV9zc2NvZnBtZl9zc2NvdW50ZXJlbndfc3ZhZGVfc3ZhZHVfc21j
bnRycG1mIhYKCGNsb2NrLWh6EgoxMDAwMDAwMDAwIhMKB3RpbWUtaHoSCDEwMDAwMDAwIggKA2Nw
aRIBMSIQCgt0cmFwLWN5Y2xlcxIBMSIQCgdxdWFudHVtEgUxMDAwMCITCgp3ZmktY3ljbGVzEgVj
b3VudCINCgJzdhIHbGFyZ2VzdCIOCglhc2lkLWJpdHMSATkiGgoMaHBtLWNvdW50ZXJzEgoweGZm
ZmZmZmY4Ig8KCWhwbS13aWR0aBICNjQiEQoKaHBtLWV2ZW50cxIDYWxsIhAKCW12ZW5kb3JpZBID
MHgwIg4KB21hcmNoaWQSAzB4MCINCgZtaW1waWQSAzB4MCIPCgdwcm9maWxlEgRzcGVjIhIKC3Ni
aS12ZXJzaW9uEgMzLjAiEAoIc25hcHNob3QSBGF1dG8iCQoDc3NlEgJvbiIRCgtmdy1jb3VudGVy
cxICMjQiDgoJbWF4LWluc25zEgEwIg8KCm1heC1jeWNsZXMSATAiEQoJdHJhcC1sb29wEgRub3Rl
IhIKCWZwLW1pbm1heBIFZXhhY3QiBwoBcxICb24iBwoBdRICb24aTAgCEICAgIAIGDAiQGQwYTBi
OTBmMTA4YjFjNjBmNjhlYjUyMTRiODk3NmMyYjdlZTdjMzYwNzBjOThlMTQ1NTE1ZDcwYWVmYzY4
Y2QggJTr3AMogK3iBDBAEgwgASiAgICACFoCCAESEQgHEAcgASicgICACEoDCgEyEhAICxALIAEo
rICAgAhiAggC
""")

CLAIM = 0x0c200004  # the PLIC's register of hart 0's M-mode


def image():
    path = WORK / "iir-twice"
    path.write_bytes(IIR_TWICE)
    return ["--flat", "0x80000000", path]


def test_the_boards_differ_by_a_setting():
    for args, want in (([], b"1"), (["--set", "board=virt"], b"1"),
                       (["--set", "board=plain"], b"2")):
        same(pmuctl("run", "--mode", "m", *args, *image()).out, want)


def test_a_trace_of_the_time_before_replays_on_the_board_of_then():
    before, again = WORK / "before.trace", WORK / "again.trace"
    before.write_bytes(BEFORE)
    done = pmuctl("run", "--replay", before, "--trace", again, *image())
    same(done.out, b"2")
    same(again.read_bytes(), BEFORE)


def test_a_trace_replays_on_its_own_board():
    for board, want in (("virt", b"1"), ("plain", b"2")):
        first, again = WORK / f"{board}.trace", WORK / f"{board}-2.trace"
        pmuctl("run", "--mode", "m", "--set", f"board={board}", "--trace",
               first, *image())
        done = pmuctl("run", "--replay", first, "--trace", again, *image())
        same(done.out, want)
        same(first.read_bytes(), again.read_bytes())


def seeds(first, second):
    """The seeds in the headers of two traces, which differ."""
    told = pmuctl("trace", "diff", first, second, code=1).text()
    line = [x for x in told.splitlines() if x.startswith("setting rng-seed")]
    same(len(line), 1, told)
    return line[0].split(": ")[1].split(" and ")


def test_a_random_seed_is_drawn_and_replayed():
    traces = [WORK / f"seed-{i}.trace" for i in range(3)]
    for trace in traces[:2]:
        pmuctl("run", "--mode", "m", "--set", "rng-seed=random", "--trace",
               trace, *image())
    drawn = seeds(*traces[:2])
    for text in drawn:
        same(len(bytes.fromhex(text)), 64)
    pmuctl("run", "--replay", traces[0], "--trace", traces[2], *image())
    same(traces[0].read_bytes(), traces[2].read_bytes())
    pmuctl("run", "--mode", "m", "--trace", traces[2], *image())
    same(seeds(traces[0], traces[2]), [drawn[0], "not set"])


def test_input_that_interrupts_is_replayed():
    for isa in ISAS:
        for harts in ("1", "4"):
            image = GUESTS[f"echo-plic-{isa}"]
            first, again = WORK / "echo.trace", WORK / "echo-2.trace"
            done = pmuctl("run", "--mode", "m", "--harts", harts, "--trace",
                          first, image, stdin=b"hello q")
            same(done.out[0::2], b"hello q\n", done)
            for way in ("engines=2", "engines=1", "step-only=on"):
                done = pmuctl("run", "--trace", again, "--replay", first,
                              "--set", way, image)
                same(first.read_bytes(), again.read_bytes(), way)


def test_a_look_at_a_pending_interrupt_claims_nothing():
    for isa in ISAS:
        with bench.daemon() as d:
            m = d.create(f"echo-plic-{isa}", "--mode", "m",
                         *bench.isa_options(isa))
            d.pmuctl("machine", "start", m, "--paused")
            d.pmuctl("machine", "break", m, "handler")
            d.pmuctl("machine", "input", m, stdin=b"q")
            d.pmuctl("machine", "resume", m)
            d.pmuctl("machine", "wait", m)
            same(d.show(m)["cause"], "STOP_CAUSE_BREAKPOINT")
            pending = d.pmuctl("csr", "read", "-m", m, "mip").out
            same(pending, b"mip 0x800\n")
            for how in ([], ["--virtual"]):
                # it is refused, which is not what this is about
                d.pmuctl("mem", "read", "-m", m, *how, CLAIM, 4, code=(0, 1))
                same(d.pmuctl("csr", "read", "-m", m, "mip").out, pending)
            # its handler fails the run unless it is told of the UART
            d.pmuctl("machine", "break", m)
            d.pmuctl("machine", "resume", m)
            d.pmuctl("machine", "wait", m)
            same(d.show(m)["cause"], "STOP_CAUSE_FINISHER_PASS")
            same(d.pmuctl("machine", "console", m).out[0::2], b"q\n")


def test_external_interrupts_make_one_trace():
    ways = ("engines=2", "engines=1", "step-only=on", "host-slice=1")
    for isa in ISAS:
        for name, args in (("plic", ["--mode", "m"]),
                           ("plic-harts", ["--mode", "m", "--harts", "4"]),
                           ("plic-sbi", []),
                           ("plic-sbi-harts", ["--harts", "4"])):
            traces = set()
            for way in ways:
                trace = WORK / "plic.trace"
                done = pmuctl("run", "--record", "all", "--trace", trace,
                              *args, "--set", way, GUESTS[f"{name}-{isa}"])
                same(done.out, b"external interrupts\n")
                traces.add(trace.read_bytes())
            same(len(traces), 1, name)


def test_the_second_port_leaves_by_a_file():
    path = WORK / "two-ports"
    path.write_bytes(TWO_PORTS)
    two = ["--flat", "0x80000000", path]
    first, again, out = (WORK / n for n in ("two", "two-2", "two.out"))
    done = pmuctl("run", "--mode", "m", "--trace", first, "--serial", out,
                  *two)
    same(done.out, b"c")
    same(out.read_bytes(), b"st")
    shown = pmuctl("trace", "show", "--kind", "console", first).text()
    same(shown.count("serial "), 2, shown)
    same(shown.count("console "), 1, shown)
    out.unlink()
    done = pmuctl("run", "--replay", first, "--trace", again, *two)
    same(done.out, b"c")
    same(first.read_bytes(), again.read_bytes())
    pmuctl("run", "--replay", first, "--serial", out, *two)
    same(out.read_bytes(), b"st")


def test_behind_a_reboot_devices_are_as_at_the_start():
    path = WORK / "set-and-boot"
    path.write_bytes(SET_AND_BOOT)
    load = ["--flat", "0x80000000", path]
    first, again = WORK / "boots.trace", WORK / "boots-2.trace"
    for isa in ISAS:
        done = pmuctl("run", "--mode", "m", *bench.isa_options(isa), "--set",
                      "reboot=on", "--set", "serial=on", "--trace", first,
                      *load, stdin=b"ccq")
        same(done.out, 3 * (10 * b"0" + 10 * b"1"), done)
        pmuctl("run", "--replay", first, "--trace", again, *load)
        same(first.read_bytes(), again.read_bytes())


def test_a_second_port_is_there_only_if_wanted():
    path = WORK / "two-ports"
    path.write_bytes(TWO_PORTS)
    two = ["--mode", "m", "--flat", "0x80000000", path]
    done = pmuctl("run", "--stop-on-trap-loop", *two, code=125)
    same(done.out, b"")
    out = WORK / "none.out"
    for args, message in (
            (["--set", "serial=off"], "port 1: 0 is the console"),
            (["--set", "board=plain"], "setting serial: board=plain has no"),
            (["--detach"], "--detach cannot be combined")):
        done = pmuctl("run", "--serial", out, *args, *two,
                      code=4 if args[1:] == ["serial=off"] else 2)
        holds(message in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
