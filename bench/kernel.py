# SPDX-License-Identifier: BSD-2-Clause
"""Linux: its boot, what it does then, sampling in it, and its memory."""
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import peers
from peers import TOP, Missing
from table import Aim, table

sys.path.insert(0, str(TOP / "tests/linux"))
import newc  # noqa: E402 - found by the line above

# Leaves out half of the boot's initcalls, for all peers alike.
FAST = ("quiet initcall_blacklist=jent_mod_init,load_system_certificate_list,"
        "bpf_tcp_ca_kfunc_init,init_kprobe_trace,bpf_dummy_struct_ops_init,"
        "latency_fsnotify_init cryptomgr.notests")
MARK = b"bench: here"
UNITS = {"s": 1, "us": 1e6}
BOOT = "boot to power off"
# name: options, script, the unit and how many of it, and the aims: at most so
# much of a peer's time; without one QEMU is not asked (one that counts takes
# more than ten minutes for a boot of four harts)
LINUX = {
    BOOT: ([], "true", "s", 1, {"QEMU 10 icount": 0.75, "QEMU 10": 0.9}),
    "the same behind OpenSBI": (["--bios"], "true", "s", 1,
                                {"QEMU 10 icount": 1}),
    "getppid": ([], "pmutest syscall 400000", "us", 400000, {"QEMU 10": 1}),
    "fork and exec": ([], "i=0; while [ $i -lt 100 ]; do "
                      "/bin/busybox true; i=$((i+1)); done", "us", 100,
                      {"QEMU 10": 1}),
    "pipe, 160 MB": ([], "dd if=/dev/zero bs=64k count=2560 2>/dev/null | "
                    "cat >/dev/null", "s", 1, {"QEMU 10": 1}),
    "shell loop": ([], "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done",
                   "us", 50000, {"QEMU 10": 1}),
    "boot of 4 harts": (["--harts", "4"], "true", "s", 1, {}),
}
FOUR = 1.3  # boots of one hart, at most, that a boot of four takes
PERIOD = 10000
SAMPLED = "pmutest loop 100000000"


def payload(what):
    """Return a part of the payload of the Linux tests."""
    done = subprocess.run([TOP / "tests/linux/payload", what], check=False,
                          capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"tests/linux/payload {what}: {done.stderr.strip()}")
    return pathlib.Path(done.stdout.strip())


def staged(folder, name, script, what="tiny"):
    """Return an initial file system that runs @script and powers off."""
    stage = newc.Archive()
    stage.file("stage", script.encode())
    path = pathlib.Path(folder) / name.replace(" ", "-").replace("/", "-")
    path.write_bytes(payload(what).read_bytes() + stage.pack())
    return path


def booted(peer, initrd, options=()):
    """Let Linux run; return its seconds and its output."""
    spent, output = peer.linux(payload("kernel"), initrd, FAST, *options)
    if "stage: status 0" not in output:
        sys.exit(f"{peer.name}: {initrd.name}: {output[-500:]}")
    return spent, output


def options_for(peer, work, rows):
    """Return a work's options; QEMU has its OpenSBI always."""
    options = LINUX[work][0]
    if options == ["--bios"]:
        return [] if peer in rows.qemus else \
            ["--bios", rows.qemus[-1].firmware()]
    return options


def base_of(work):
    """Return what is taken off a work."""
    return None if "boot" in work or "OpenSBI" in work else BOOT


def judged(rows, work):
    """Return the aims of a work, and whether they are met."""
    own = rows.less("pmud", work, base_of(work))
    said = [f"{Aim(limit).verdict(own / rows.less(p, work, base_of(work)))}"
            f" of {p}" for p, limit in LINUX[work][4].items()]
    if work == "boot of 4 harts":
        said.append(Aim(FOUR).verdict(own / rows.less("pmud", BOOT, None)) +
                    " of the boot of one")
    return "; ".join(said)


def linux(rows):
    """What Linux does, less its boot."""
    who = rows.able("--kernel") + rows.qemus
    with tempfile.TemporaryDirectory() as folder:
        initrd = {n: staged(folder, n, row[1]) for n, row in LINUX.items()}

        def once(peer, work):
            if peer in rows.qemus and not LINUX[work][4]:
                return
            spent, _ = booted(peer, initrd[work],
                              options_for(peer, work, rows))
            rows.note(peer.name, work, spent)

        rows.alternate(LINUX, who, once)
    cells = []
    for work, (_, _, unit, n, _) in LINUX.items():
        base = base_of(work)
        cells.append([
            f"{work}, {unit}",
            *(f"{rows.less(p.name, work, base) / n * UNITS[unit]:.2f}"
              if (p.name, work) in rows.times else "-" for p in who),
            judged(rows, work),
            *rows.ratios(work, base, who)])
    table("Linux 6.12", ["work", *(p.name for p in who), "aims",
                         *rows.ratio_heads(who)], cells)


def samples(output):
    """Return how many samples perf says that there are."""
    found = re.search(r"^ +SAMPLE events: +(\d+)", output, re.M)
    return int(found[1]) if found else 0


def sampling(rows):
    """What a sample of `perf record` costs: with a period, less without."""
    who = rows.able("--kernel") + rows.qemus[-2:]  # 7.2 delivers none
    line = (f"perf record -q -o /samples -e instructions:u -c {{}} {SAMPLED}; "
            "perf report -i /samples --stats")
    with tempfile.TemporaryDirectory() as folder:
        initrd = {name: staged(folder, name, line.format(period), "slim")
                  for name, period in (("sampled", PERIOD),
                                       ("unsampled", 10 ** 15))}

        def once(peer, work):
            spent, output = booted(peer, initrd[work])
            rows.note(peer.name, work, spent)
            rows.note(peer.name, work + " samples", samples(output))

        rows.alternate(initrd, who, once)
    cost = {}
    for peer in who:
        if found := rows.median(peer.name, "sampled samples"):
            cost[peer.name] = rows.less(peer.name, "sampled", "unsampled") \
                / found * 1e6
    aim = Aim(1 / 3).verdict(cost["pmud"] / cost["QEMU 10"]) \
        if "QEMU 10" in cost else "no sample there"
    table(f"`perf record` in Linux, period {PERIOD}, us of CPU for a sample",
          ["who", "samples", "us for one", "aim, of QEMU 10"],
          [[p.name, f"{rows.median(p.name, 'sampled samples'):.0f}",
            f"{cost[p.name]:.2f}" if p.name in cost else "-",
            aim if p.name == "pmud" else ""] for p in who])


def memory(rows):
    """What a machine takes beyond its guest's RAM; many of them at once."""
    cells = []
    with tempfile.TemporaryDirectory() as folder:
        initrd = staged(folder, "memory", f"echo {MARK.decode()}\n"
                        "while :; do :; done")
        for bench in rows.able("--kernel"):
            used = peers.memory(bench, payload("kernel"), initrd, FAST, MARK)
            image = rows.main.image("compute")
            two, many = (statistics.median(
                peers.together(bench, image, n) for _ in range(3))
                for n in (2, 16))
            cells.append([bench.name, f"{used:.0f}", Aim(100).verdict(used),
                          f"{two * 8 / many:.2f}",
                          Aim(0.98, True).verdict(two * 8 / many)])
    table("Machines", ["build", "MB beyond RAM after a tiny boot", "aim",
                       "throughput of 16, of that of 2", "aim"], cells)
