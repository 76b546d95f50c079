#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""What refusals of every service name: test-details.py PMUD PROTO GUEST.

A row is a request in protobuf's text form, M standing for the machine's id, and
the status, field and reason that must come back. A real machine is asked.
"""

import os
import sys
import traceback

from google.protobuf import text_format

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import asserted  # noqa: E402 - found by the line above
import child  # noqa: E402 - likewise

from bench import C, PATH, PMUD, POOL, SERVICES, WORK, Bench, new

INVALID, MISSING = C.INVALID_ARGUMENT, C.NOT_FOUND
STATE, RANGE = C.FAILED_PRECONDITION, C.OUT_OF_RANGE
FULL = C.RESOURCE_EXHAUSTED


def setting(key, value):
    return f'settings {{ key: "{key}" value: "{value}" }}'


# What is refused may count until its process has ended: little memory each.
SMALL = "memory_bytes: 4194304"
GOOD = setting("cpi", "2")
MACHINE = 'machine: "M"'
CREATE = "MachineService.CreateMachine"
LOAD = "MachineService.LoadImage"
QUEUE = "MachineService.QueueInputs"
STARTED = [
    ("HartService.ReadCsr", f"{MACHINE} hart: 7", INVALID, "csr",
     "FIELD_MISSING"),
    ("HartService.ReadCsr", f"{MACHINE} hart: 7 number: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("HartService.ReadCsr", f'{MACHINE} name: "nothing"', MISSING, "csr",
     "NO_SUCH_CSR"),
    ("HartService.ReadCsr", f"{MACHINE} number: 0x7ff", MISSING, "csr",
     "NO_SUCH_CSR"),
    ("HartService.WriteCsr", MACHINE, INVALID, "csr", "FIELD_MISSING"),
    ("HartService.WriteCsr", f'{MACHINE} name: "cycle"', INVALID, "csr",
     "READ_ONLY"),
    ("HartService.WriteCsr", f"{MACHINE} number: 4096", INVALID, "csr",
     "NO_SUCH_CSR"),
    ("HartService.ListCsrs", f"{MACHINE} hart: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("HartService.ReadRegisters", f"{MACHINE} hart: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("HartService.WriteRegister", f"{MACHINE} number: 66", INVALID, "number",
     "NO_SUCH_REGISTER"),
    ("HartService.WriteRegister", MACHINE, INVALID, "number", "READ_ONLY"),
    ("HartService.WriteRegister", f"{MACHINE} number: 32 value: 3", INVALID,
     "value", "BAD_VALUE"),
    ("HartService.ReadMemory", MACHINE, INVALID, "size", "BAD_SIZE"),
    ("HartService.ReadMemory", f"{MACHINE} size: 1", RANGE, "address",
     "NO_MEMORY_THERE"),
    ("HartService.WriteMemory", MACHINE, INVALID, "data", "BAD_SIZE"),
    ("HartService.WriteMemory", f'{MACHINE} data: "x"', RANGE, "address",
     "NO_MEMORY_THERE"),
    ("HartService.WriteMemory", f'{MACHINE} hart: 9 data: "x"', INVALID,
     "hart", "NO_SUCH_HART"),
    ("SbiService.CallSbi", f"{MACHINE} args: [1, 2, 3, 4, 5, 6, 7]", INVALID,
     "args", "TOO_MANY"),
    ("SbiService.CallSbi", f"{MACHINE} hart: 3", INVALID, "hart",
     "NO_SUCH_HART"),
    ("EventService.ExplainCounter", f"{MACHINE} hart: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("EventService.InjectEvents", f'{MACHINE} event: "x" count: 1', INVALID,
     "event", "NO_SUCH_EVENT"),
    ("EventService.InjectEvents", f'{MACHINE} event: "cycles"', INVALID,
     "count", "BAD_VALUE"),
    ("EventService.InjectEvents", f'{MACHINE} event: "cycles" count: 1 hart: 1',
     INVALID, "hart", "NO_SUCH_HART"),
    ("EventService.InjectEvents", f'{MACHINE} event: "cycles" count: 1 pc: 1',
     INVALID, "pc", "BAD_VALUE"),
    ("EventService.InjectEvents",
     f'{MACHINE} event: "cycles" count: 1 insn: 0', INVALID, "insn",
     "BAD_VALUE"),
    ("EventService.CancelInjection", f"{MACHINE} injection: 7", MISSING,
     "injection", "NO_SUCH_INJECTION"),
    ("EventService.ExplainCounter", f"{MACHINE} index: 99", MISSING, "index",
     "NO_SUCH_COUNTER"),
    ("EbbService.OpenEbb", f"{MACHINE} hart: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("EbbService.ActOnEbb", f"{MACHINE} inputs {{ console: 'x' }}", INVALID,
     "inputs[0].kind", "UNKNOWN_VALUE"),
    ("EbbService.ActOnEbb",
     f"{MACHINE} inputs {{ ebb {{ what: WHAT_OPEN }} }}", INVALID,
     "inputs[0].kind", "UNKNOWN_VALUE"),
    ("EbbService.ActOnEbb",
     f"{MACHINE} inputs {{ ebb {{ what: WHAT_CLOSE session: 7 }} }}", MISSING,
     "inputs[0].ebb.session", "NO_SUCH_SESSION"),
    ("EbbService.ReadEbb", f"{MACHINE} session: 7", MISSING, "session",
     "NO_SUCH_SESSION"),
    ("SymbolService.DescribeAddresses",
     f"{MACHINE} addresses: [{', '.join(['1'] * 4097)}]", INVALID,
     "addresses", "TOO_MANY"),
    ("SymbolService.DescribeAddresses", f"{MACHINE} hart: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("SymbolService.FindSymbol", f'{MACHINE} name: "no such"', MISSING, "name",
     "NO_SUCH_SYMBOL"),
    ("SymbolService.FindRanges", MACHINE, INVALID, "of", "FIELD_MISSING"),
    ("SymbolService.FindRanges", f'{MACHINE} function: "no such"', MISSING,
     "function", "NO_SUCH_SYMBOL"),
    ("SymbolService.FindRanges", f'{MACHINE} line {{ file: "a.c" line: 1 }}',
     MISSING, "line", "NO_SUCH_LINE"),
    ("SymbolService.FindRanges", f'{MACHINE} line {{ file: "a.c" }}', INVALID,
     "line", "BAD_VALUE"),
    ("TraceService.QueryRecords", f"{MACHINE} filter {{ traps: true }}", STATE,
     "filter", "NOT_RECORDED"),
    ("MachineService.RunUntil", MACHINE, INVALID, "condition",
     "FIELD_MISSING"),
    ("MachineService.StepMachine", f"{MACHINE} insns: {2**64 - 1}", INVALID,
     "insns", "TOO_MANY"),
    ("MachineService.StepMachine", f"{MACHINE} hart: 1", INVALID, "hart",
     "NO_SUCH_HART"),
    ("MachineService.SetBreakpoints",
     f"{MACHINE} pcs: [{', '.join(['4'] * 5000)}]", FULL, "pcs", "TOO_MANY"),
    ("MachineService.SetBreakpoints",
     f"{MACHINE} {'watchpoints { bytes: 1 loads: true }' * 65}", FULL,
     "watchpoints", "TOO_MANY"),
    ("MachineService.SetBreakpoints",
     f"{MACHINE} watchpoints {{ bytes: 1 }}", INVALID, "watchpoints",
     "FIELD_MISSING"),
    ("MachineService.SetBreakpoints",
     f"{MACHINE} watchpoints {{ loads: true }}", INVALID, "watchpoints",
     "BAD_SIZE"),
    ("MachineService.SetBreakpoints",
     f"{MACHINE} watchpoints {{ address: {2**64 - 4} bytes: 5 stores: true }}",
     INVALID, "watchpoints", "BAD_SIZE"),
    ("MachineService.StartMachine", MACHINE, STATE, "", "ALREADY_STARTED"),
    ("MachineService.PauseMachine", 'machine: "m0"', MISSING, "machine",
     "NO_SUCH_MACHINE"),
    ("MachineService.WriteConsole", f'{MACHINE} data: "{"x" * 65537}"',
     INVALID, "data", "BAD_SIZE"),
]
FRESH = [
    ("MachineService.StartMachine", MACHINE, STATE, "", "NO_IMAGE"),
    ("MachineService.PauseMachine", MACHINE, STATE, "", "WRONG_STATE"),
    ("HartService.ListHarts", MACHINE, STATE, "", "NOT_STARTED"),
    (CREATE, f"config {{ {SMALL} harts: 65 }}", INVALID, "config.harts",
     "BAD_VALUE"),
    (CREATE, "config { memory_bytes: 5 }", INVALID, "config.memory_bytes",
     "BAD_VALUE"),
    (CREATE, f"config {{ {SMALL} start_mode: 9 }}", INVALID,
     "config.start_mode", "UNKNOWN_VALUE"),
    (CREATE, f"config {{ {SMALL} {GOOD} {GOOD} {setting('cpi', 'x')} }}",
     INVALID, "config.settings[2].value", "BAD_VALUE"),
    (CREATE, f"config {{ {SMALL} {GOOD} {setting('nothing', 'x')} }}",
     INVALID, "config.settings[1].key", "NO_SUCH_SETTING"),
    (CREATE, f"config {{ {SMALL} {setting('clock-hz', '1000')} "
     f"{setting('time-hz', '2000')} }}", INVALID, "config.settings",
     "SETTINGS_CONFLICT"),
    (CREATE, f"config {{ {SMALL} {setting('s', 'off')} }}", INVALID,
     "config.settings", "SETTINGS_CONFLICT"),
    (CREATE, f"config {{ {setting('cpi', '2' * 70000)} }}", FULL, "config",
     "CONFIG_TOO_LONG"),
    (CREATE, "config { memory_bytes: 2147483648 }", FULL,
     "config.memory_bytes", "MEMORY_LIMIT"),
    (LOAD, 'chunk: "x"', INVALID, "start", "FIELD_MISSING"),
    (LOAD, f"start {{ {MACHINE} }}", INVALID, "start.total_bytes", "BAD_SIZE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 9 kind: 99 }}", INVALID,
     "start.kind", "UNKNOWN_VALUE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 9 }} | chunk: 'not an ELF'",
     INVALID, "chunk", "BAD_SIZE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 10 }} | chunk: 'not an ELF'",
     INVALID, "start.address", "NOT_AN_ELF_FILE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 99 }} | chunk: 'too short'",
     INVALID, "chunk", "UPLOAD_ENDED"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 4 kind: IMAGE_KIND_FLAT "
     "address: 1 } | chunk: 'flat'", INVALID, "start.address", "BAD_IMAGE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 3 kind: IMAGE_KIND_DTB }} | "
     "chunk: 'dtb'", INVALID, "chunk", "BAD_DEVICE_TREE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 3 kind: IMAGE_KIND_SYMBOLS }} | "
     "chunk: 'elf'", INVALID, "chunk", "BAD_IMAGE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 6 kind: IMAGE_KIND_KERNEL }} | "
     "chunk: 'kernel'", INVALID, "chunk", "BAD_IMAGE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 6 kind: IMAGE_KIND_INITRD "
     "entry: 4 } | chunk: 'initrd'", INVALID, "start.entry", "BAD_VALUE"),
    (LOAD, f"start {{ {MACHINE} total_bytes: 4 kind: IMAGE_KIND_FIRMWARE }} | "
     "chunk: 'bios'", INVALID, "start.kind", "NOT_IN_M_MODE"),
    (CREATE, f"config {{ bootargs: '{'x' * 4097}' }}", INVALID,
     "config.bootargs", "BAD_SIZE"),
    (QUEUE, f"{MACHINE} inputs {{ console: 'x' }} inputs {{ hart: 9 }}",
     INVALID, "inputs[1].hart", "NO_SUCH_HART"),
    (QUEUE, f"{MACHINE} inputs {{ }}", INVALID, "inputs[0].kind",
     "FIELD_MISSING"),
    (QUEUE, f"{MACHINE} inputs {{ csr_write {{ csr: 4096 }} }}", INVALID,
     "inputs[0].csr_write.csr", "NO_SUCH_CSR"),
    (QUEUE, f"{MACHINE} inputs {{ cycle: 9 console: 'x' }} | "
     "inputs { cycle: 8 console: 'x' }", INVALID, "inputs[0].cycle",
     "WRONG_ORDER"),
]
# what cannot be refused for what is asked
NEVER = {"SystemService"}


def ask(bench, row):
    name, text, code, field, reason = row
    service, method = name.split(".")
    method = POOL.FindServiceByName(f"pmu.v1.{service}").methods_by_name[method]
    requests = [text_format.Parse(part.replace("M", bench.machine, 1)
                                  if MACHINE in part else part,
                                  new(method.input_type))
                for part in text.split(" | ")]
    got, words, _ = bench.call(method, requests)
    assert got == code, f"{got.name}: {words}"
    found = bench.details
    assert found.field == field, (found.field, words)
    assert found.reason == reason, (found.reason, words)


def check_rows(bench, prepare, rows):
    failed = 0
    prepare()
    for row in rows:
        what = f"{row[0]} {row[1][:50]}: {row[3]}, {row[4]}"
        try:
            with asserted.demanded():
                ask(bench, row)
            print(f"ok - {what}", flush=True)
        except Exception:  # noqa: BLE001 - a row may fail in any way
            failed += 1
            print(f"not ok - {what}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
    return failed


def main():
    pmud = child.start([PMUD, "--socket", PATH, "-d", WORK.name,
                        "--memory-per-user", "1GiB"])
    bench = Bench()
    print(f"1..{len(FRESH) + len(STARTED) + 1}")
    failed = check_rows(bench, bench.made, FRESH)
    failed += check_rows(bench, bench.fresh, STARTED)
    asked = {row[0].split(".")[0] for row in FRESH + STARTED} | NEVER
    missed = {s.split(".")[-1] for s in SERVICES} - asked
    print(f"{'not ' if missed else ''}ok - every service is asked {missed}")
    pmud.terminate()
    child.leave(failed or missed or pmud.wait(timeout=60))


if __name__ == "__main__":
    main()
