#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""U-Boot as Debian builds it for QEMU's virt: prompt, sbi, fdt, poweroff.

In S-mode on the firmware model and behind OpenSBI, and in M-mode in place of
both. It is that of scripts/setup-u-boot; without it all is skipped.
"""
import pathlib
import re
import sys

import bench
from bench import holds, pmuctl

FOUND = [p / "usr/lib/u-boot" for p in
         pathlib.Path(bench.SOURCE, ".deps").glob("u-boot-*")]
OPENSBI = "/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"
MOST = ("--memory", "256M", "--max-insns", "400M")  # it cannot hang
TREE = "fdt addr $fdtcontroladdr\nfdt print /cpus\n"


def play(commands, *args):
    """Type commands at the prompt; U-Boot must switch the machine off."""
    typed = f"\n\n{commands}poweroff\n".encode()
    done = pmuctl("run", *MOST, *args, stdin=typed)
    text = done.text().replace("\r", "")
    holds("\nU-Boot 20" in text and "\n=> " in text, done)
    return text


def shows_the_tree(text):
    holds(re.search(r'riscv,isa = "rv64imafdc_', text), text[-3000:])
    holds("timebase-frequency = <0x00989680>" in text, text[-3000:])


def test_in_s_mode_it_finds_the_firmware_model():
    for folder in FOUND:
        text = play(f"sbi\n{TREE}", "--flat", "0x80200000",
                    folder / "qemu-riscv64_smode/u-boot.bin")
        holds("SBI 3.0" in text, text)
        holds("Performance Monitoring Unit Extension" in text, text)
        shows_the_tree(text)


def test_in_s_mode_it_finds_opensbi():
    for folder in FOUND:
        text = play(f"sbi\n{TREE}", "--bios", OPENSBI, "--flat", "0x80200000",
                    folder / "qemu-riscv64_smode/u-boot.bin")
        holds(re.search(r"^OpenSBI v1\.", text, re.M), text)
        holds(re.search(r"^OpenSBI 1\.\d+$", text, re.M), text)
        shows_the_tree(text)


def test_in_m_mode_it_is_the_firmware():
    for folder in FOUND:
        text = play(TREE, "--bios", folder / "qemu-riscv64/u-boot.bin")
        holds("OpenSBI" not in text, text)
        shows_the_tree(text)


if __name__ == "__main__":
    if not FOUND:
        print("1..0 # SKIP no U-Boot: scripts/setup could not fetch it")
        sys.exit(0)
    sys.exit(bench.main(globals()))
