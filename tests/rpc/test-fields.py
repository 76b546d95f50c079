#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every field of every request, out of range: test-fields.py PMUD PROTO GUEST.

The requests are read from the protocol's descriptors, so a new field is tested
the day it is added. Each is sent to a real machine, once with every field at
each of its edges; the answer is a success or an error that names its cause, and
daemon and machine live on. Prints TAP.
"""

import os
import re
import sys
import traceback

from google.protobuf.descriptor import FieldDescriptor as F

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import asserted  # noqa: E402 - found by the line above
import child  # noqa: E402 - likewise

from bench import C, PATH, PMUD, POOL, SERVICES, WORK, Bench, new

FINE = {
    C.OK, C.INVALID_ARGUMENT, C.NOT_FOUND, C.OUT_OF_RANGE,
    C.FAILED_PRECONDITION, C.RESOURCE_EXHAUSTED, C.DEADLINE_EXCEEDED,
}
# DEADLINE_EXCEEDED is a good answer of what waits for the guest only
MAY_WAIT = {"StepMachine", "ReadConsole", "StreamRecords", "OpenEbb"}
# what would take away the machine that the other rows need
ENDS = {"DeleteMachine"}

EDGES = {
    F.TYPE_UINT32: [0, 1, 31, 32, 63, 64, 4095, 4096, 2**31, 2**32 - 1],
    F.TYPE_INT32: [0, -1, -(2**31), 2**31 - 1],
    F.TYPE_UINT64: [0, 1, 2**32, 2**63, 2**64 - 1],
    F.TYPE_INT64: [0, -1, -(2**63), 2**63 - 1],
    F.TYPE_BOOL: [True, False],
    F.TYPE_STRING: ["", "x", "mstatus", "ä" * 100, "x" * 100000],
    F.TYPE_BYTES: [b"", b"\0", b"x" * 70000, b"x" * (2 << 20)],
    F.TYPE_ENUM: [0, 1, 99, -1, 2**31 - 1],
}


def requests(method, machine):
    """Every field at each of its edges, the others as a good call has them."""

    def base():
        request = new(method.input_type)
        names = method.input_type.fields_by_name
        if "machine" in names:
            request.machine = machine
        if method.name == "LoadImage":
            request.start.machine = machine
        return request

    yield "as it is", base()
    yield from edges(method.input_type, base, lambda request: request, "")


def edges(descriptor, base, reach, prefix):
    for field in descriptor.fields:
        name = prefix + field.name
        repeated = field.label == F.LABEL_REPEATED
        if field.type == F.TYPE_MESSAGE:

            def inner(request, reach=reach, field=field, repeated=repeated):
                at = getattr(reach(request), field.name)
                if repeated:
                    return at[0] if at else at.add()
                at.SetInParent()
                return at

            yield from edges(field.message_type, base, inner, name + ".")
            continue
        for value in EDGES[field.type]:
            request = base()
            at = reach(request)
            if repeated:
                getattr(at, field.name).extend([value] * 3)
            else:
                setattr(at, field.name, value)
            yield f"{name} = {str(value)[:20]!r}", request


def check_field(method, path, where):
    """The path leads to a field, or to a oneof, of the request."""
    at = method.input_type
    for name in re.sub(r"\[\d+\]", "", path).split("."):
        assert at, f"{where}: {path} leads below a value"
        if name in at.oneofs_by_name:
            return
        assert name in at.fields_by_name, f"{where}: no field '{path}'"
        at = at.fields_by_name[name].message_type


def check_method(bench, method):
    bench.fresh()
    tried = 0
    for what, request in requests(method, bench.machine):
        waits = method.name in MAY_WAIT
        code, text, _ = bench.call(method, request, 0.5 if waits else 20)
        where = f"{method.name}, {what}: {code.name}: {text}"
        assert code in FINE, where
        assert code == C.OK or text, where
        assert waits or code != C.DEADLINE_EXCEEDED, where
        if code not in (C.OK, C.DEADLINE_EXCEEDED):
            assert bench.details.reason, f"{where}: no reason"
        if code == C.INVALID_ARGUMENT:
            check_field(method, bench.details.field, where)
        tried += 1
        code, text, answer = bench.simple("MachineService", "GetMachine",
                                          machine=bench.machine)
        if code == C.NOT_FOUND and method.name in ENDS:
            bench.fresh()
            continue
        assert code == C.OK, f"after {where}: {text}"
        state = answer.machine.state
        assert state != 6, f"after {where}: crashed: {answer.machine.detail}"
        if state not in (1, 3):
            bench.fresh()
    return tried


def main():
    pmud = child.start([PMUD, "--socket", PATH, "-d", WORK.name])
    bench = Bench()
    methods = [m for s in SERVICES for m in POOL.FindServiceByName(s).methods]
    failed = 0
    print(f"1..{len(methods) + 1}")
    for number, method in enumerate(methods, 1):
        try:
            with asserted.demanded():
                tried = check_method(bench, method)
            print(f"ok {number} - {method.name}: {tried} requests", flush=True)
        except Exception:  # noqa: BLE001 - a test may fail in any way
            failed += 1
            print(f"not ok {number} - {method.name}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
    pmud.terminate()
    ended = pmud.wait(timeout=60) == 0
    print(f"{'' if ended else 'not '}ok {len(methods) + 1} - pmud ends in order")
    child.leave(failed or not ended)


if __name__ == "__main__":
    main()
