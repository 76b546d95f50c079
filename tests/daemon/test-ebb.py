#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""EbbService with a real machine: test-ebb.py PMUD FAKE PROTO_DIR MACHINE.

The guest is a loop of four instructions in M-mode. Prints TAP.
"""

import sys

import grpc

import harness
from ebbs import Act, Machine, Session, enabled
from harness import refused, until
from pmu.v1 import common_pb2 as common
from pmu.v1 import ebb_pb2 as ebb
from pmu.v1 import harts_pb2 as harts
from pmu.v1 import machines_pb2 as machines

OPENED = [Act.WHAT_OPEN, Act.WHAT_ADD, Act.WHAT_ENABLE, Act.WHAT_UNMASK]
HANDLED = [("csr_write", Act.WHAT_UNSPECIFIED), ("ebb", Act.WHAT_REARM),
           ("ebb", Act.WHAT_RETURN)]


def frozen_run(path):
    """Run a handler that writes and arms again; return the trace's bytes.

    Its acts are inputs of the cycle of the overflow that it was called for.
    """
    m = Machine(path)
    s, told = enabled(m, 1000, freezes=True)
    m.do("ResumeMachine")
    cycles = []
    for i in range(20):
        cycles.append(next(told).cycle)
        assert m.is_frozen() and m.info().cycle == cycles[-1]
        m.client.call("HartService", "WriteCsr", harts, machine=m.id,
                      name="mscratch", value=i)
        s.act({"what": Act.WHAT_REARM, "counter": 3, "period": 1000 + i},
              {"what": Act.WHAT_RETURN})
    next(told)
    s.simply(Act.WHAT_CLOSE)
    m.do("PauseMachine")
    records, last = m.records(), cycles[-1]
    acts = [(r.input.WhichOneof("kind"), r.input.ebb.what, r.cycle)
            for r in records if r.WhichOneof("kind") == "input"]
    assert acts == [("ebb", what, 0) for what in OPENED] + \
        [(*act, cycle) for cycle in cycles for act in HANDLED] + \
        [("ebb", Act.WHAT_CLOSE, last + 1019)], acts
    assert cycles[0] == 1000, cycles
    assert [b - a for a, b in zip(cycles, cycles[1:])] == \
        list(range(1000, 1019)), cycles
    return [r.SerializeToString() for r in records if r.cycle <= last]


def test_two_frozen_runs_of_a_handler_are_the_same(path):
    first = frozen_run(path)
    assert len(first) > 80 and frozen_run(path) == first


def test_a_client_that_dies_releases_everything(path):
    m = Machine(path)
    s, told = enabled(m, 1000, freezes=True)
    m.do("ResumeMachine")
    next(told)
    assert m.is_frozen() and m.csr("mhpmevent3") >> 63
    s.client.close()
    until(lambda: not m.is_frozen())
    assert m.csr("mhpmevent3") == 0
    m.do("PauseMachine")
    acts = [r.input.ebb.what for r in m.records()
            if r.input.WhichOneof("kind") == "ebb"]
    assert acts[-1] == Act.WHAT_DEATH, acts


def test_the_owner_releases_a_client_that_hangs(path):
    m = Machine(path)
    s, told = enabled(m, 1000, freezes=True)
    m.do("ResumeMachine")
    next(told)
    release = machines.Input(ebb=Act(what=Act.WHAT_CLOSE, session=s.number))
    m.client.call("EbbService", "ActOnEbb", ebb, machine=m.id, inputs=[release])
    assert not m.is_frozen()
    refused(grpc.StatusCode.NOT_FOUND, "there is none", s.read)


def test_a_frozen_machine_is_paused_and_deleted(path):
    m = Machine(path)
    s, told = enabled(m, 1000, freezes=True)
    m.do("ResumeMachine")
    next(told)
    assert m.do("PauseMachine").machine.state == common.MACHINE_STATE_PAUSED
    s.simply(Act.WHAT_RETURN)
    assert not m.is_frozen()
    assert m.info().state == common.MACHINE_STATE_PAUSED
    s.act({"what": Act.WHAT_REARM, "counter": 3, "period": 1000})
    m.do("ResumeMachine")
    next(told)
    m.do("DeleteMachine")
    assert list(told) == [] and list(s.life) == []


def test_that_it_was_scheduled_is_known_by_reading(path):
    m = Machine(path)
    first, second = Session(m), Session(m)
    for s in (first, second):
        s.add(3, 1000)
        s.simply(Act.WHAT_ENABLE)
    assert first.read().scheduled and not second.read().scheduled
    m.do("StepMachine", insns=10)
    assert first.read().counters[0].value == (1 << 64) - 990
    first.simply(Act.WHAT_CLOSE)
    second.simply(Act.WHAT_ENABLE)
    assert second.read().scheduled


def test_what_overflows_while_masked_is_held(path):
    m = Machine(path)
    s = Session(m, reloads=True)
    s.add(3, 1000)
    s.simply(Act.WHAT_ENABLE)
    m.do("StepMachine", insns=5000)
    assert s.read().alerts == 8
    told = s.told()
    s.simply(Act.WHAT_UNMASK)
    only = next(told)
    assert (only.cycle, only.ebb_delivery.cycle) == (5000, 1000), only
    assert s.read().alerts == 0


def test_a_machine_that_runs_on_tells_all_of_them(path):
    n = 20000
    m = Machine(path, max_insns=str(100 * n + 50))
    s, told = enabled(m, 100, reloads=True)
    m.do("ResumeMachine")
    for i in range(1, n + 1):
        r = next(told)
        assert r.cycle == 100 * i == r.ebb_delivery.cycle, (i, r)
    until(lambda: m.info().state == common.MACHINE_STATE_ENDED)
    assert not s.read().alerts


def test_what_is_no_act_of_a_client_is_refused(path):
    m = Machine(path)
    s = Session(m)
    invalid = grpc.StatusCode.INVALID_ARGUMENT
    for what in (Act.WHAT_UNSPECIFIED, Act.WHAT_OPEN, Act.WHAT_DEATH, 99):
        refused(invalid, "act of a", s.act, {"what": what})
    refused(grpc.StatusCode.NOT_FOUND, "has no counter 2", s.add, 2, 100)
    refused(invalid, "period", s.add, 3, 0)
    refused(invalid, "at most 256", s.simply, *[Act.WHAT_MASK] * 257)
    refused(grpc.StatusCode.FAILED_PRECONDITION, "no handler", s.simply,
            Act.WHAT_RETURN)


def test_sessions_are_limited_and_come_back(path):
    m = Machine(path)
    sessions = [Session(m) for _ in range(16)]
    for s in sessions:
        s.client.close()
    again = Session(m)
    assert again.number == 17


if __name__ == "__main__":
    sys.exit(harness.run(globals(), "--machine-program", sys.argv[4]))
