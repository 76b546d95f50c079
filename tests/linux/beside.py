#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Run one script in Linux here and on QEMU with OpenSBI, and print both.

usage: tests/linux/beside.py [--build DIR] [--what tiny|slim|full] [SCRIPT]
       tests/linux/beside.py [--build DIR] --perf

Without a SCRIPT, all of pmutest; with --perf, commands of perf. QEMU counts instructions (-icount): without
it, its cycles are the host's time. It is that of scripts/setup-qemu with its
own OpenSBI, else the installed one. docs/CLIENTS.md has what this printed.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import newc

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
FAST = ("quiet initcall_blacklist=jent_mod_init,load_system_certificate_list,"
        "bpf_tcp_ca_kfunc_init,init_kprobe_trace,bpf_dummy_struct_ops_init,"
        "latency_fsnotify_init cryptomgr.notests")
LIMIT = 900  # seconds
STAT = """-e cycles,instructions pmutest loop 1000000
-e cycles:u,instructions:u,cycles:k,instructions:k pmutest loop 1000000
-e branches,cache-misses,r100000 ls /
-a -e r8000000000000005 sleep 1"""
RECORD = """-e instructions:u -c 100000 pmutest loop 5000000
-e instructions -c 100000 pmutest syscall 20000
-a -e instructions -c 100000 pmutest loop 5000000"""


def payload(what):
    return subprocess.run([TOP / "tests/linux/payload", what], check=True,
                          capture_output=True, text=True).stdout.strip()


def unpacked(prefix):
    """The QEMU of scripts/setup-qemu: command, options, environment."""
    libraries = {str(p.parent) for p in prefix.glob("usr/lib/**/lib*.so*")}
    modules = next(prefix.glob("usr/lib/*/qemu"))
    firmware = next(prefix.glob(
        "usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"))
    return ([str(prefix / "usr/bin/qemu-system-riscv64"), "-L",
             str(prefix / "usr/share/qemu"), "-bios", str(firmware)],
            dict(os.environ, LD_LIBRARY_PATH=":".join(sorted(libraries)),
                 QEMU_MODULE_DIR=str(modules)))


def qemu():
    prefix = TOP / ".deps/qemu"
    if prefix.exists():
        return unpacked(prefix)
    return ["qemu-system-riscv64"], dict(os.environ)


def timed(command, env, folder):
    """Run it; return its console's text and the seconds that it took."""
    begin = time.monotonic()
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT, cwd=folder,
                              check=False)
        out = done.stdout
    except subprocess.TimeoutExpired as expired:
        out = (expired.stdout or b"") + b"\n(no end in sight)\n"
    text = out.decode(errors="replace").replace("\r", "")
    return text, time.monotonic() - begin


def perf():
    """A script that says each command and what perf says of it."""
    lines = []
    for row in STAT.splitlines():
        lines += [f"echo '$ perf stat {row}'", f"perf stat {row} 2>&1"]
    for row in RECORD.splitlines():
        lines += [f"echo '$ perf record {row}'",
                  f"perf record -q -o /samples {row} >/dev/null 2>&1",
                  "perf report -i /samples --stats | grep SAMPLE"]
    return "\n".join([*lines, "true"])


def here(args, initrd, folder):
    command = [args.build / "cli/pmuctl", "run", "--batch", "--kernel",
               payload("kernel"), "--initrd", initrd, "--append", FAST,
               "--harts", str(args.harts)]
    return timed(command, dict(os.environ, PMUD_ADDRESS="private"), folder)


def there(args, initrd, folder):
    command, env = qemu()
    command += ["-M", "virt", "-cpu", "rv64,sscofpmf=true", "-icount",
                "shift=0", "-m", "512M", "-smp", str(args.harts), "-display",
                "none", "-serial", "stdio", "-no-reboot", "-kernel",
                payload("kernel"), "-initrd", str(initrd), "-append",
                f"earlycon console=ttyS0 {FAST}"]
    return timed(command, env, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=TOP / "build")
    parser.add_argument("--what", default="tiny")
    parser.add_argument("--perf", action="store_true")
    parser.add_argument("--harts", type=int, default=1)
    parser.add_argument("script", nargs="?", default="pmutest test")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if args.perf:
        args.what, args.script = "slim", perf()
    stage = newc.Archive()
    stage.file("stage", args.script.encode())
    with tempfile.TemporaryDirectory() as work:
        initrd = pathlib.Path(work) / "initrd"
        initrd.write_bytes(pathlib.Path(payload(args.what)).read_bytes() +
                           stage.pack())
        for name, run in (("pmud", here), ("QEMU with OpenSBI", there)):
            text, seconds = run(args, initrd, work)
            text = re.sub(r"\A.*?^Boot HART MEDELEG.*?\n", "", text,
                          flags=re.S | re.M)
            print(f"== {name}: {seconds:.1f} s\n{text}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
