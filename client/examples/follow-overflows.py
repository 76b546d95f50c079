#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Lists pmud's machines, or follows the overflows of one, in Python.

usage: follow-overflows.py SOCKET [MACHINE]

pmu/v1/*_pb2.py are what protoc makes of the protocol: docs/CLIENT-CODE.md has
the command. They lie where PYTHONPATH says.
"""
import sys

import grpc
from pmu.v1 import common_pb2, machines_pb2, machines_pb2_grpc
from pmu.v1 import symbols_pb2, symbols_pb2_grpc
from pmu.v1 import traces_pb2, traces_pb2_grpc

AT_ONCE = 4096  # addresses that one call may ask for


class Lines:
    """Functions and source lines of a machine; pmud is asked once for each."""

    def __init__(self, channel, machine):
        self.stub = symbols_pb2_grpc.SymbolServiceStub(channel)
        self.machine, self.known = machine, {}

    def ask(self, addresses):
        new = sorted(set(addresses) - self.known.keys())
        for i in range(0, len(new), AT_ONCE):
            answer = self.stub.DescribeAddresses(
                symbols_pb2.DescribeAddressesRequest(
                    machine=self.machine, addresses=new[i:i + AT_ONCE]))
            self.known.update((p.address, p) for p in answer.places)

    def text(self, address):
        place = self.known[address]
        name = f"{place.function}+{place.offset:#x}" if place.function \
            else "[unknown]"
        return f"{name} {place.file}:{place.line or '?'}" if place.file else name


def list_machines(channel):
    stub = machines_pb2_grpc.MachineServiceStub(channel)
    for m in stub.ListMachines(machines_pb2.ListMachinesRequest()).machines:
        state = common_pb2.MachineState.Name(m.state)
        print(m.id, state.removeprefix("MACHINE_STATE_").lower(), m.insn)


def follow(channel, machine):
    lines = Lines(channel, machine)
    # not drop: no record is lost, a slow reader makes the machine wait
    request = traces_pb2.StreamRecordsRequest(
        machine=machine, from_start=True,
        filter=traces_pb2.RecordFilter(overflows=True))
    stub = traces_pb2_grpc.TraceServiceStub(channel)
    for answer in stub.StreamRecords(request):
        records = answer.batch.records
        lines.ask(r.overflow.last_pc for r in records)
        for r in records:
            print(f"hart {r.hart} counter {r.overflow.counter}",
                  r.overflow.event, f"cycle {r.cycle}",
                  f"{r.overflow.last_pc:#x}", lines.text(r.overflow.last_pc),
                  flush=True)


def main(socket, machine=None):
    with grpc.insecure_channel(f"unix:{socket}") as channel:
        try:
            if machine is None:
                list_machines(channel)
            else:
                follow(channel, machine)
        except grpc.RpcError as error:
            sys.exit(f"{error.code().name}: {error.details()}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
