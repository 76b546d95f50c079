# SPDX-License-Identifier: BSD-2-Clause
"""The recordings: what each was made of, and with which words of pmuctl."""
import collections

# name: of its files; guest: that runs; args: of `run`; record: of `record`, and
# the kinds of records, when it is made and when it is replayed, as no header has
# them; typed: its input; acts: on the machine m1 from outside, words of pmuctl
# each.
Row = collections.namedtuple("Row", "name guest args record typed kinds acts")


def _row(guest, args="", record="", typed="", name="",
         kinds="trap,sbi,process", acts=()):
    said = "-".join([guest, name] if name else [guest])
    return Row(said, guest, args.split(), record.split(), typed, kinds, acts)


M = "--mode m "
H = M + "--set h=on "
TWO = "--harts 2 "
FOUR = "--harts 4 "
OPENSBI = "--set profile=opensbi "

SMALL = "--set uarch=small --set l1d=1024:64:2 "
EVERY = SMALL + "--set predictor=static --set prefetch=next "
INORDER = "--set timing=inorder "
STALLS = INORDER + "--set stalls=1:10:100:1000:5 "

# Acts on smp.S, whose sums at `words` are wrong then, and on a firmware's
# machine, whose firmware is asked, too.
ON_SMP = (
    "machine until m1 --insn 3000", "mem write 0x80001000 07000000 -m m1",
    "csr write mscratch 0x55 --hart 1 -m m1", "machine step m1 --count 100",
    "reg write x11 0x1234 --hart 2 -m m1", "machine until m1 --insn 9000",
    "mem write 0x80001040 01ff -m m1", "csr write mhpmevent3 2 --hart 3 -m m1",
)
ON_SBI = (
    "machine until m1 --insn 500", "sbi call base.get_spec_version -m m1",
    "csr write mcountinhibit 4 -m m1", "mem write 0x80300000 00112233 -m m1",
    "sbi call hsm.hart_get_status 2 -m m1", "machine step m1 --count 3",
    "csr write scounteren 7 -m m1",
)

ROWS = [
    # The firmware's answers. These up to the acts were made at 0c72b0e, but those
    # with users who have satp, of which records did not tell.
    _row("conformance-rv64", OPENSBI, name="opensbi"),
    _row("conformance-rv32", FOUR),
    _row("conformance-rv32", OPENSBI + FOUR, name="opensbi"),
    _row("sbi-rv64"), _row("sbi-ad-rv32"), _row("sbi-harts-rv64", FOUR),
    _row("sbi-hyp-rv64", "--set h=on"), _row("susp-rv32", TWO),
    _row("sse-rv64"), _row("sse-harts-rv32", TWO),
    _row("sse-fp-rv64", TWO + "--set h=on"),
    _row("sse-hyp-rv64", "--set h=on"),
    _row("sse-loop-rv32", TWO + "--max-cycles 30000"),
    # overflows, traps and interrupts without a firmware
    _row("conformance-m-rv64", M),
    _row("overflow-instructions-rv64", M), _row("overflow-cycles-rv32", M),
    _row("overflow-branches-rv64", M), _row("overflow-user-rv32", M),
    _row("overflow-jumps-rv32", M + "--set quantum=777"),
    _row("overflow-hlv-rv64", H), _row("hyp-overflow-hs-rv64", H),
    _row("hyp-overflow-vs-rv64", H + "--set shlcofideleg=on"),
    _row("hyp-counts-rv32", H), _row("hyp-paging-rv64", H),
    _row("hyp-paging-rv32", H), _row("hyp-switch-rv64", H),
    _row("modes-rv64", M), _row("paging-rv32", M), _row("paging-rv64", M),
    _row("traps-rv64", M), _row("counters-rv32", M), _row("fencei-rv64", M),
    _row("float-rv64", M + TWO), _row("float-box-rv32", M),
    _row("htif-page-rv64", M),
    _row("smp-rv64", M + FOUR), _row("timer-rv32", M), _row("idle-rv64", M),
    _row("nowhere-rv32", M + "--max-cycles 5000"),
    _row("deadlock-rv64", M + "--max-cycles 5000"),
    _row("echo-rv64", M, typed="hello q"),
    # acts from outside: memory, CSRs, registers, calls of the firmware
    _row("smp-rv64", M + FOUR, name="acts", acts=ON_SMP),
    _row("smp-rv32", M + FOUR + "--set xlen=32", name="acts", acts=ON_SMP),
    _row("sbi-harts-rv64", OPENSBI + FOUR, name="acts", acts=ON_SBI),
    # what is seen of pages without a fence, in the sum that the guest prints
    _row("owes-rv64", M, kinds="none"), _row("owes-rv32", M, kinds="none"),
    # models of cores: counts, waits, overflows of their events
    _row("models-rv64", M + EVERY), _row("models-paging-rv64", M + EVERY),
    _row("misses-rv32", M + SMALL + INORDER), _row("events-rv64", M + EVERY),
    _row("inorder-rv64", M + SMALL + INORDER),
    _row("overflow-stalls-rv64", M + EVERY + STALLS),
    _row("overflow-l1d-rv32", M + "--set l1d=64:64:1"),
    _row("conformance-rv64", TWO + EVERY + STALLS, name="models"),
    # interrupt controller, sleep, an owner of nothing
    _row("plic-harts-rv64", M + FOUR), _row("plic-sbi-harts-rv32", FOUR),
    _row("nap-rv64", M, typed="q"), _row("sleeper-rv64", M + "--harts 3"),
    # samplers: of groups, in modes, of models, with callers and a filter
    _row("modes-rv32", M, "-e instructions,branches:u -c 1009"),
    _row("hyp-counts-rv64", H, "-e {instructions:v,cycles:H} -c 301"),
    _row("models-rv32", M + EVERY,
         "-e L1-dcache-load-misses,dTLB-load-misses -c 3 --registers"),
    _row("sse-harts-rv64", TWO, "-e cycles -c 777 -g --filter hart!=0"),
    _row("smp-rv32", M + FOUR, "-e instructions -c 997 --stack 64"),
    _row("events-rv32", M + EVERY, "-e cycles -c 50"),
    _row("paging-rv64", M, "--exact -e loads,stores", name="exact"),
    _row("misses-rv64", M + SMALL, "--exact -e L1-dcache-load-misses"),
]


def words(row, trace):
    """What pmuctl is told to write @trace, before the options of `run`."""
    run = ["run", "--quiet", "--record", row.kinds]
    if row.record:
        return ["record", *row.record, "--output", trace, "--", *run]
    return [*run, "--trace", trace]
