#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""client/exports.py keeps what a program was linked to, and adds the rest."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

SCRIPT = pathlib.Path(sys.argv[1]) / "client/exports.py"
ONE = """/* pmuclient_told; */
LIB_1.0 {
global:
	/* why */
	pmuclient_open;
	pmu__v1__a__descriptor;
local:
	*;
};
"""
TWO = ONE + """
LIB_1.1 {
global:
	pmuclient_more;
} LIB_1.0;
"""
OPEN = "/* pmuclient_close() */\nint pmuclient_open(int a);\n"
MORE = "void pmuclient_more(\n\tint a);\n"
TYPE = "typedef int pmuclient_callback(\n\tint a);\n"
A = "extern const ProtobufCMessageDescriptor pmu__v1__a__descriptor;\n"
B = "extern const ProtobufCMessageDescriptor pmu__v1__b__descriptor;\n"
E = "extern const ProtobufCEnumDescriptor    pmu__v1__e__descriptor;\n"

# why, the map, the headers, what is behind the map or is said in refusal
ROWS = [
    ("nothing is new", ONE, [OPEN, A], ""),
    ("a type is no name", ONE, [TYPE + OPEN, A], ""),
    ("new messages stand in the next version", ONE, [OPEN, A + E + B],
     "\nLIB_1.1 {\nglobal:\n\tpmu__v1__b__descriptor;\n"
     "\tpmu__v1__e__descriptor;\n} LIB_1.0;\n"),
    ("so does a new function", ONE, [OPEN + MORE, A],
     "\nLIB_1.1 {\nglobal:\n\tpmuclient_more;\n} LIB_1.0;\n"),
    ("a version that is there stays", TWO, [OPEN + MORE, A], ""),
    ("the next one is behind the last", TWO, [OPEN + MORE, A + B],
     "\nLIB_1.2 {\nglobal:\n\tpmu__v1__b__descriptor;\n} LIB_1.1;\n"),
    ("a name that is gone", TWO, [OPEN, A],
     "libpmuclient.map: no header declares pmuclient_more any more"),
    ("all that are gone", ONE, [B],
     "declares pmu__v1__a__descriptor, pmuclient_open any more"),
    ("a name that is only told of", ONE, ["/* " + OPEN[24:] + "*/" + A],
     "no header declares pmuclient_open any more"),
    ("a name twice", TWO.replace("_more", "_open"), [OPEN, A],
     "libpmuclient.map: pmuclient_open stands twice"),
    ("no version", "", [OPEN, A], "libpmuclient.map: no version in it"),
]


def exports(text, headers):
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "in").write_text(text)
        files = []
        for i, header in enumerate(headers):
            files.append(work / f"{i}.h")
            files[-1].write_text(header)
        done = subprocess.run(
            [sys.executable, "-B", SCRIPT, work / "out", work / "in", *files],
            capture_output=True, text=True)
        if done.returncode == 0:
            return (work / "out").read_text(), ""
        assert not (work / "out").exists(), "refused, and written"
        return None, done.stderr


def check(text, headers, want):
    out, said = exports(text, headers)
    if want == "" or want.startswith("\n"):
        assert out == text + want, out or said
        # taken over at a release, it is what it was
        assert exports(out, headers)[0] == out
    else:
        assert out is None and want in said, out or said


def main():
    bad = 0
    print(f"1..{len(ROWS)}")
    for i, (why, *row) in enumerate(ROWS, 1):
        try:
            with asserted.demanded():
                check(*row)
            print(f"ok {i} - {why}")
        except AssertionError as e:
            bad += 1
            print(f"not ok {i} - {why}\n# {e}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
