#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""What a real machine answers by RPC: test-answers.py PMUD FAKE PROTO_DIR MACHINE.

Guests are a few instructions each, written here. Prints TAP.
"""

import sys

import grpc

import harness
from harness import Client, refused, until
from pmu.v1 import common_pb2 as common
from pmu.v1 import events_pb2 as events
from pmu.v1 import harts_pb2 as harts
from pmu.v1 import machines_pb2 as machines
from pmu.v1 import traces_pb2 as traces

BASE = 0x80000000
ZERO, S1, A0, A1, A2, A6, A7 = 0, 9, 10, 11, 12, 16, 17
ECALL, MRET, WFI, SPIN = 0x73, 0x30200073, 0x10500073, 0x6F
DBCN = 0x4442434E
HSM, START, STOP, STATUS = 0x48534D, 0, 1, 2


def addi(rd, rs, imm):
    return (imm & 0xFFF) << 20 | rs << 15 | rd << 7 | 0x13


def li(rd, value):
    upper = value + 0x800 & 0xFFFFF000
    return [upper | rd << 7 | 0x37, addi(rd, rd, value - upper)]


def bnez(rs, offset):
    imm = offset & 0x1FFF
    return (imm >> 12 << 31 | (imm >> 5 & 63) << 25 | rs << 15 | 1 << 12 |
            (imm >> 1 & 15) << 8 | (imm >> 11 & 1) << 7 | 0x63)


def call(eid, fid):
    return [*li(A7, eid), addi(A6, ZERO, fid), ECALL]


def code(*words):
    flat = [w for part in words for w in (part if isinstance(part, list) else [part])]
    return b"".join(w.to_bytes(4, "little") for w in flat)


class Machine:
    """One on a connection of its own, in RAM of 16 MiB."""

    def __init__(self, path, start=common.START_MODE_S, count=1, **settings):
        self.client = Client(path)
        config = common.MachineConfig(
            harts=count, memory_bytes=16 << 20, start_mode=start,
            settings=[common.Setting(key=k.replace("_", "-"), value=v)
                      for k, v in settings.items()])
        recording = common.Recording(traps=True, sbi_calls=True)
        self.id = self.client.machine(
            "CreateMachine", config=config, recording=recording).machine.id

    def load(self, data, kind=machines.IMAGE_KIND_FLAT, address=BASE, entry=0):
        start = machines.ImageStart(machine=self.id, kind=kind, address=address,
                                    total_bytes=len(data), entry=entry)
        return self.client.upload(machines.LoadImageRequest(start=start),
                                  machines.LoadImageRequest(chunk=data))

    def do(self, method, **fields):
        return self.client.machine(method, machine=self.id, **fields)

    def hart(self, method, **fields):
        return self.client.call("HartService", method, harts,
                                machine=self.id, **fields)

    def explain(self, hart, index):
        return self.client.call("EventService", "ExplainCounter", events,
                                machine=self.id, hart=hart, index=index)

    def later(self, method, **fields):
        """Ask, and return what will have the answer."""
        stub = self.client.channel.unary_unary(
            "/pmu.v1.MachineService/" + method,
            request_serializer=lambda r: r.SerializeToString(),
            response_deserializer=getattr(machines, method + "Response").FromString)
        return stub.future(getattr(machines, method + "Request")(
            machine=self.id, **fields), timeout=30)

    def start(self, *words, paused=False):
        self.load(code(*words))
        self.do("StartMachine", paused=paused)
        return self

    def stands(self):
        state = self.do("GetMachine").machine.state
        return state not in (common.MACHINE_STATE_NEW,
                             common.MACHINE_STATE_RUNNING)

    def records(self):
        answers = self.client.trace("QueryRecords", machine=self.id)
        return [r for a in answers for r in a.records]

    def queue(self, *inputs):
        stub = self.client.channel.stream_unary(
            "/pmu.v1.MachineService/QueueInputs",
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=machines.QueueInputsResponse.FromString)
        request = machines.QueueInputsRequest(machine=self.id, inputs=inputs)
        return stub(iter([request]), timeout=30)


def test_a_csr_has_its_name_and_the_rule_behind_it(path):
    m = Machine(path).start(SPIN, paused=True)
    assert m.hart("ReadCsr", number=0x300).csr.name == "mstatus"
    csr = m.hart("ReadCsr", number=0x323).csr
    assert csr.name == "mhpmevent3" and csr.number == 0x323 and csr.rule
    assert m.hart("WriteCsr", number=0x340, value=7).csr.name == "mscratch"


def test_a_mebibyte_of_memory_is_written_at_once(path):
    m = Machine(path).start(SPIN, paused=True)
    data = bytes(range(256)) * 4096
    m.hart("WriteMemory", address=BASE + 0x100000, data=data)
    got = m.hart("ReadMemory", address=BASE + 0x100000, size=1 << 20).data
    assert got == data


def test_an_input_that_is_refused_is_named_by_its_place(path):
    m = Machine(path)
    good = machines.Input(console=b"x")
    bad = machines.Input(hart=9, console=b"x")
    try:
        m.queue(good, good, bad)
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert any(b"inputs[2].hart" in value
                   for key, value in error.trailing_metadata()
                   if key == "grpc-status-details-bin"), error
        return
    raise AssertionError("the input was taken")


def test_the_trace_says_what_was_loaded(path):
    m = Machine(path)
    m.load(code(SPIN, SPIN, SPIN))
    m.load(b"12345", address=BASE + 0x1000)
    m.do("StartMachine", paused=True)
    stream = m.client.trace("StreamRecords", machine=m.id)
    images = next(stream).header.images
    assert [(i.address, i.bytes) for i in images] == \
        [(BASE, 12), (BASE + 0x1000, 5)]
    stream.cancel()


def test_there_is_one_device_tree(path):
    m = Machine(path).start(SPIN, paused=True)
    dtb = m.do("GetDeviceTree").dtb
    other = Machine(path)
    other.load(dtb, kind=machines.IMAGE_KIND_DTB)
    refused(grpc.StatusCode.INVALID_ARGUMENT, "there is a device tree already",
            other.load, dtb, kind=machines.IMAGE_KIND_DTB)


def test_execution_begins_at_the_first_image_or_where_it_is_said(path):
    m = Machine(path)
    assert m.load(code(SPIN), address=BASE + 0x2000).entry == BASE + 0x2000
    assert m.load(code(SPIN), address=BASE).entry == BASE + 0x2000
    m = Machine(path)
    got = m.load(code(SPIN, SPIN), address=BASE, entry=BASE + 4)
    assert got.entry == BASE + 4


def test_data_may_have_an_odd_address_where_code_may_not(path):
    m = Machine(path)
    refused(grpc.StatusCode.INVALID_ARGUMENT, "is odd", m.load, code(SPIN),
            address=BASE + 1)
    assert m.load(code(SPIN), address=BASE).entry == BASE
    assert m.load(b"data", address=BASE + 0x1001).entry == BASE


def test_memory_that_is_no_number_of_pages_is_refused(path):
    config = common.MachineConfig(memory_bytes=(16 << 20) + 1)
    refused(grpc.StatusCode.INVALID_ARGUMENT, "memory", Client(path).machine,
            "CreateMachine", config=config)


def test_a_hart_that_stops_is_in_the_trace(path):
    m = Machine(path).start(call(HSM, STOP), SPIN)
    until(m.stands)
    changes = [r.hart_change.what for r in m.records()
               if r.WhichOneof("kind") == "hart_change"]
    assert traces.HartChange.WHAT_STOPPED in changes, changes


def test_a_trap_that_the_firmware_handles_has_no_target(path):
    m = Machine(path).start(call(HSM, STOP), SPIN)
    until(m.stands)
    traps = [r.trap for r in m.records() if r.WhichOneof("kind") == "trap"]
    assert [(t.cause, t.target) for t in traps] == \
        [(9, common.PRIVILEGE_UNSPECIFIED)], traps


def test_registers_of_rv32_have_32_bits(path):
    m = Machine(path, xlen="32").start(addi(A0, ZERO, -1), SPIN, paused=True)
    m.do("RunUntil", insn=10)
    until(m.stands)
    got = m.hart("ReadRegisters")
    assert got.x[A0] == 0xFFFFFFFF and got.pc == BASE + 4, got
    for number in (A0, 32):
        m.hart("WriteRegister", number=number, value=0xAAAAAAAABBBBBBBC)
    got = m.hart("ReadRegisters")
    assert got.x[A0] == 0xBBBBBBBC and got.pc == 0xBBBBBBBC, got


def test_a_hart_that_starts_again_begins_with_empty_registers(path):
    # hart 1 adds one to s1 and stops; hart 0 starts it and waits, twice
    start = [addi(A0, ZERO, 1), *li(A1, BASE + 0x100), *call(HSM, START)]
    ask = [addi(A0, ZERO, 1), *call(HSM, STATUS), addi(A1, A1, -1)]
    wait = [*ask, bnez(A1, -4 * len(ask))]
    m = Machine(path, count=2, xlen="32")
    m.load(code(start, wait, start, wait, call(HSM, STOP)))
    m.load(code(addi(S1, S1, 1), call(HSM, STOP)), address=BASE + 0x100)
    m.do("StartMachine")
    until(m.stands)
    changes = [(r.hart, r.hart_change.what) for r in m.records()
               if r.WhichOneof("kind") == "hart_change"]
    begun = (1, traces.HartChange.WHAT_STARTED)
    assert changes.count(begun) == 2, changes
    assert m.hart("ReadRegisters", hart=1).x[S1] == 1


def test_explain_says_that_nothing_happens_any_more(path):
    m = Machine(path).start(call(HSM, STOP), SPIN)
    until(m.stands)
    facts = [(f.text, f.hinders) for f in m.explain(0, 0).facts]
    assert any(text.startswith("the machine has ended") and hinders
               for text, hinders in facts), facts


def test_a_step_is_answered_though_the_machine_goes_on(path):
    m = Machine(path).start(SPIN, paused=True)
    for _ in range(10):
        step = m.later("StepMachine", insns=1 << 60)
        pause = m.later("PauseMachine")
        again = m.later("RunUntil", insn=1 << 61)
        assert step.result().machine.state == common.MACHINE_STATE_PAUSED
        assert pause.result() and again.result()
        m.do("PauseMachine")


def test_a_console_that_has_lost_its_beginning_is_read_from_what_is_left(path):
    # 640 times the 32 KiB that a call takes; pmud keeps 16 MiB
    write = [0x8 << 12 | A0 << 7 | 0x37, *li(A1, BASE + 0x1000),
             addi(A2, ZERO, 0), *call(DBCN, 0), addi(S1, S1, -1)]
    m = Machine(path, xlen="32")
    m.start(*li(S1, 640), write, bnez(S1, -4 * len(write)), call(HSM, STOP))
    until(m.stands)

    def read(offset):
        stream = m.client.machine("ReadConsole", machine=m.id, offset=offset)
        return sum(len(answer.data) for answer in stream)

    left, all_ = read(0), 640 << 15
    assert 8 << 20 < left <= 16 << 20, left
    assert read(all_ - 1000) == 1000
    assert read(all_ - left + 7) == left - 7
    assert read(all_) == read(1 << 40) == 0


def test_a_hart_that_waits_has_counted_up_to_now(path):
    # hart 1 waits from its first turn on, hart 0 runs: mhartid, beqz
    m = Machine(path, start=common.START_MODE_M, count=2, wfi_cycles="count",
                quantum="1000")
    m.start(0xF1402573, 0x00050663, WFI, 0xFFDFF06F, SPIN, paused=True)
    m.do("RunUntil", cycle=50000)
    until(m.stands)
    clock = m.do("GetMachine").machine.cycle
    cycles = m.hart("ReadCsr", hart=1, number=0xB00).csr.value
    assert clock == 50000 and cycles == clock - 1000, (clock, cycles)


def guest_fault(path, insn, address):
    """Return mcause, mtval and mtval2 of what a guest's access meets.

    It runs in VS-mode behind an mret; nothing below 1 GiB is mapped to it.
    """
    m = Machine(path, start=common.START_MODE_M, h="on")
    m.load(code(SPIN, MRET, insn), entry=BASE + 4)
    m.do("StartMachine", paused=True)
    leaf = (BASE >> 12 << 10 | 0xDF).to_bytes(8, "little")
    m.hart("WriteMemory", address=BASE + 0x100000 + 8 * (BASE >> 30), data=leaf)
    status = m.hart("ReadCsr", name="mstatus").csr.value & ~(3 << 11)
    for name, value in (("pmpaddr0", (1 << 54) - 1), ("pmpcfg0", 0x1F),
                        ("mtvec", BASE), ("mepc", BASE + 8),
                        ("mstatus", status | 1 << 11 | 1 << 39),
                        ("hgatp", 8 << 60 | BASE + 0x100000 >> 12)):
        m.hart("WriteCsr", name=name, value=value)
    m.hart("WriteRegister", number=A1, value=address)
    m.do("RunUntil", insn=20)
    until(m.stands)
    return [m.hart("ReadCsr", name=name).csr.value
            for name in ("mcause", "mtval", "mtval2")]


def test_a_misaligned_address_of_a_guest_is_not_translated(path):
    load, reserve, add = 0x0005A503, 0x1005A52F, 0x00A5A52F
    assert guest_fault(path, load, 0x1000) == [21, 0x1000, 0x1000 >> 2]
    assert guest_fault(path, add, 0x1000) == [23, 0x1000, 0x1000 >> 2]
    assert guest_fault(path, reserve, 0x1002) == [4, 0x1002, 0]
    assert guest_fault(path, add, 0x1002) == [6, 0x1002, 0]


if __name__ == "__main__":
    sys.exit(harness.run(globals(), "--machine-program", sys.argv[4]))
