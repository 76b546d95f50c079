#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Who may include whom: no arrow runs up.

Reads the #include lines of every C file. A folder's row says which of the
tree's folders, which installed headers and which system headers it may name;
the longest folder that holds a file decides. Folders without a row are free. A
header that is neither the tree's nor listed here is refused: nobody has said
whose it is. What docs/ARCHITECTURE.md's map says of this comes from here;
`--write` brings it there.
"""
import pathlib
import re
import sys

import common

PURE = {"assert.h", "inttypes.h", "limits.h", "stdbool.h", "stddef.h",
        "stdint.h", "stdlib.h", "string.h"}
# What Debian's libc6-dev, gcc and linux-libc-dev bring, besides SYSTEM_PREFIXES.
SYSTEM = PURE | {
    "argp.h", "ctype.h", "dirent.h", "elf.h", "endian.h", "errno.h", "fcntl.h",
    "ftw.h", "glob.h", "libgen.h", "malloc.h", "poll.h", "pthread.h",
    "sched.h", "search.h", "setjmp.h", "signal.h", "spawn.h", "stdarg.h",
    "stdatomic.h", "stdio.h", "stdio_ext.h", "strings.h", "termios.h",
    "time.h", "unistd.h"}
SYSTEM_PREFIXES = ("arpa/", "linux/", "netinet/", "sys/")
# What the build makes, or a test of somebody's source brings: whose it is.
MADE = {"pmu/method-facts.h": "proto/methods",
        "settings/settings-build.h": "daemon/settings", "cg_sim.c": "tests"}
FOREIGN = {"ev.h": "ev", "libfdt.h": "fdt", "jansson.h": "jansson",
           "seccomp.h": "seccomp", "libelf.h": "elf", "gelf.h": "elf",
           "dwarf.h": "elf",
           "zlib.h": "zlib", "check.h": "check"}
PREFIXES = {"unicorn/": "unicorn", "nghttp2/": "nghttp2",
            "protobuf-c/": "protobuf-c", "elfutils/": "elf",
            "google/protobuf-c/": "protobuf-c",
            "libsmartcols/": "smartcols", "nettle/": "nettle"}

# folder: (folders of the tree, library headers, system headers: pure or all)
RULES = {
    "libpmu": ({"libpmu"}, set(), "pure"),
    "firmware-model": ({"firmware-model", "libpmu/include"}, {"fdt"}, "pure"),
    "client": ({"client", "proto"}, {"nghttp2", "protobuf-c"}, "all"),
    # what grows, numbers as people write them, and what an ELF file says of
    # addresses
    "buffers": ({"buffers"}, set(), "pure"),
    "numbers": ({"numbers"}, set(), "pure"),
    "symbols": ({"symbols", "buffers", "numbers"}, {"elf", "zlib"}, "pure"),
    # a device tree is read where it does no harm, by the firmware's reader;
    # errors, calls, events, traps, CSRs and modes are called what firmware and harts
    # call them
    "cli": ({"cli", "buffers", "client/include", "numbers", "proto", "symbols",
             "firmware-model/include/fw/event-name.h",
             "firmware-model/include/fw/pmu-node.h",
             "firmware-model/include/fw/sbi-error.h",
             "firmware-model/include/fw/sbi-name.h",
             "libpmu/include/pmu/cause.h",
             "libpmu/include/pmu/csr-field.h",
             "libpmu/include/pmu/csr-name.h",
             "libpmu/include/pmu/csr-number.h",
             "libpmu/include/pmu/ebb-csr.h",
             "libpmu/include/pmu/event.h",
             "libpmu/include/pmu/fcsr.h",
             "libpmu/include/pmu/insn-word.h",
             "libpmu/include/pmu/mode.h",
             "libpmu/include/pmu/trap.h"},
            {"smartcols", "jansson", "zlib", "protobuf-c", "nettle"}, "all"),
    "proto/shared": ({"proto/shared"}, set(), "all"),
    "proto/wire": ({"proto/wire", "buffers", "numbers"}, {"protobuf-c"}, "all"),
    "proto/methods": ({"proto/methods"}, {"protobuf-c"}, "all"),
    "proto/wanted": ({"proto/wanted", "proto/wire"}, {"protobuf-c"}, "all"),
    "daemon/ipc": ({"daemon/ipc", "proto/shared"}, set(), "all"),
    # settings name extensions and events as libpmu's tables have them, and
    # profiles as the firmware's
    "daemon/settings": ({"daemon/settings", "numbers", "libpmu/include",
                         "firmware-model/include/fw/quirk.h"},
                        set(), "all"),
    # a gRPC server that knows no machine, nor what is asked of one
    "daemon/grpc": ({"daemon/grpc", "proto/wire"}, {"ev", "nghttp2", "protobuf-c"},
                    "all"),
    "daemon/server": ({"daemon/server", "daemon/grpc", "daemon/ipc",
                       "daemon/settings", "numbers", "proto",
                       "libpmu/include", "firmware-model/include"},
                      {"ev", "protobuf-c"}, "all"),
    # the machine: engine and board know no machine, the core no protocol, the
    # view only the core, and control everything
    "daemon/machine/engine": ({"daemon/machine/engine", "libpmu/include"},
                              set(), "all"),
    "daemon/machine/engine/unicorn": ({"daemon/machine/engine",
                                       "libpmu/include"}, {"unicorn"}, "all"),
    "daemon/machine/board": ({"daemon/machine/board", "daemon/settings",
                              "libpmu/include", "firmware-model/include"},
                             {"fdt", "elf"}, "all"),
    "daemon/machine/core": ({"daemon/machine/core", "buffers",
                             "daemon/machine/board",
                             "daemon/machine/engine", "daemon/settings",
                             "libpmu/include", "firmware-model/include"},
                            set(), "all"),
    "daemon/machine/view": ({"daemon/machine/view", "daemon/machine/core",
                             "daemon/machine/board", "daemon/machine/engine",
                             "libpmu/include", "firmware-model/include"},
                            set(), "all"),
    "daemon/machine/control": ({"daemon/machine", "buffers", "daemon/ipc",
                                "proto", "symbols", "libpmu/include",
                                "firmware-model/include"},
                               {"protobuf-c", "seccomp", "nettle"}, "all"),
    # what a user of the installed libraries writes
    "client/examples": ({"client/examples", "client/include"}, set(), "all"),
    "tests/install": ({"client/include", "libpmu/include", "guest"},
                      {"protobuf-c"}, "all"),
    "bench/rpc": ({"client/include"}, set(), "all"),
    # what runs in machines knows nothing of them, but numbers of CSRs and words
    "guest": ({"guest"}, set(), "pure"),
    "guests": ({"guests", "guest", "libpmu/include/pmu/csr-number.h",
                "libpmu/include/pmu/insn-word.h"}, set(), "all"),
    "tests/guests": (set(), set(), "all"),
    "tests/linux": ({"tests/linux"}, set(), "all"),
    # the second models share no code with what they check
    "tests/fuzz": ({"tests/fuzz", "tests/unit", "guests/common/csr-short.h",
                    "libpmu/include"}, set(), "all"),
    # whole machines, each of which is the others' model
    "tests/fuzz/engine": ({"tests", "daemon/machine", "libpmu/include"},
                          set(), "all"),
    # of the libraries alone, built once more
    "tests/room": ({"tests/room", "tests/unit", "daemon/settings",
                    "daemon/machine/core", "daemon/machine/view", "libpmu"},
                   set(), "all"),
    # the engine by its interface; all else has no Unicorn but through it
    "tests/engine": ({"tests/engine", "tests/unit", "daemon/machine/engine",
                      "guests/common/csr-short.h", "libpmu/include"},
                     {"unicorn"}, "all"),
    "tests": ({"buffers", "cli", "client", "daemon", "firmware-model", "guest",
               "guests", "libpmu", "numbers", "proto", "symbols", "tests"},
              {"check", "elf", "fdt", "jansson", "nettle", "nghttp2",
               "protobuf-c", "seccomp", "smartcols", "zlib"}, "all"),
}

# Who knows what pmud and pmud-machine say to each other.
INTERNAL = ("daemon", "proto/methods", "tests")
# Who has messages of its own and knows none of the protocol's.
NO_PROTOCOL = ("daemon/grpc", "proto/wire")

# What folders of one program show each other; the rest of theirs is private to
# all but tests, and what they show includes nothing of it.
SHOWN = {
    # what a machine consists of (owners.h) is the core's alone
    "daemon/machine/core": {
        "call-memory.h", "ebb-query.h", "ebb-session.h", "inject.h", "input.h",
        "life.h", "machine-error.h", "machine-load.h", "machine-read.h",
        "machine-stop.h", "machine.h", "miss-query.h", "pacer.h", "record-said.h",
        "recorder.h", "sampler.h", "sched.h", "state-bytes.h"},
    "firmware-model/counters": {"fw-counters.h", "fw-events.h"},
    "firmware-model/dt": {"dt-map.h"},
    "firmware-model/sbi": {"sbi-call.h"},
    "firmware-model/sse": {"sse-event.h"},
}

PAGE = "docs/ARCHITECTURE.md"
# A row of its map: the folder with what it decides, and what it may include.
MAPPED = re.compile(r"^(\| `([\w./-]+)/` \|.*\|) ([^|]*) \|$", re.M)
HEAD = "| folder | decides | may include |\n"
CALLED = {"elf": "elfutils", "ev": "libev", "fdt": "libfdt",
          "seccomp": "libseccomp", "smartcols": "libsmartcols",
          "unicorn": "Unicorn"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def inside(name, folder):
    return name == folder or name.startswith(folder + "/")


def rule_for(name):
    rows = [folder for folder in RULES if inside(name, folder)]
    return max(rows, key=len) if rows else None


def library(header):
    if header in FOREIGN:
        return FOREIGN[header]
    for prefix, lib in PREFIXES.items():
        if header.startswith(prefix):
            return lib
    return None


def resolve(name, header, tree):
    """Return the tree's files that an include line may mean."""
    here = name.rsplit("/", 1)[0] + "/"
    stack = []
    for part in (here + header).split("/"):
        if part == ".." and stack:
            stack.pop()
        elif part != ".":
            stack.append(part)
    near = "/".join(stack)
    if near in tree:
        return [near]
    return [h for h in tree if h == header or h.endswith("/" + header)]


def is_shown(name):
    folder, _, header = name.rpartition("/")
    return header in SHOWN.get(folder, ())


def private(name, targets):
    """Does a file of another folder, or what is shown to those, include what
    its folder does not show?"""
    if inside(name, "tests"):
        return False
    for target in targets:
        folder, _, _ = target.rpartition("/")
        if folder in SHOWN and (is_shown(name) or not inside(name, folder)):
            return not is_shown(target)
    return False


def allowed(row, name, bracket, header, tree, used):
    """May a file of @row include that? Notes in @used what permits it."""
    folders, libs, system = RULES[row]
    if header.endswith((".pb-c.h", ".pb-c.inc")):
        if "internal/" in header and not any(inside(row, f)
                                             for f in INTERNAL):
            return False
        if header.startswith("pmu/") and row in NO_PROTOCOL:
            return False
        used.add((row, "protobuf-c"))
        return "protobuf-c" in libs
    # <time.h> is the system's, whatever files of that name the tree has
    system_only = bracket == "<" and "/" not in header
    targets = [] if system_only else resolve(name, header, tree)
    if private(name, targets):
        return False
    if targets:
        found = {f for f in folders for t in targets if inside(t, f)}
        used.update((row, f) for f in found)
        return bool(found)
    lib = library(header)
    if lib:
        used.add((row, lib))
        return lib in libs
    if header in MADE:
        return any(inside(MADE[header], f) for f in folders)
    if system == "pure":
        return header in PURE
    return header in SYSTEM or header.startswith(SYSTEM_PREFIXES)


def check(root, used=None):
    used = set() if used is None else used
    paths = common.files(root, ".c", ".h")
    tree = {str(p.relative_to(root)) for p in paths}
    found = []
    for path in paths:
        name = str(path.relative_to(root))
        row = rule_for(name)
        if row is None:
            continue
        source = common.blank(path.read_text(), keep_strings=True)
        for m in INCLUDE.finditer(source):
            if not allowed(row, name, m[1], m[2], tree, used):
                line = common.line_of(source, m.start())
                found.append(f"{name}:{line}: {row}/ may not include {m[2]}")
    return found


def shown(what):
    """Return how the map calls a header or a folder of RULES."""
    folder, _, header = what.partition("/include/")
    return f"`<{header}>`" if header else f"`{folder}/`"


def may_include(folder):
    """Return what the map says of a folder and of those inside it."""
    rows = [RULES[row] for row in RULES if inside(row, folder)]
    names = {what for folders, _, _ in rows for what in folders
             if not inside(what, folder)}
    libs = {CALLED.get(lib, lib) for _, found, _ in rows for lib in found}
    parts = [", ".join(sorted(map(shown, names))),
             ", ".join(sorted(libs, key=str.lower)),
             "the pure part of the C library"
             if all(system == "pure" for _, _, system in rows) else ""]
    return "; ".join(filter(None, parts)) or "the C library alone"


def map_of(page):
    """Return the page with the map's last column as RULES have it."""
    before, head, rest = page.partition(HEAD)
    table, gap, after = rest.partition("\n\n")

    def row(m):
        known = any(inside(r, m[2]) for r in RULES)
        return f"{m[1]} {may_include(m[2]) if known else m[3]} |"
    return before + head + MAPPED.sub(row, table) + gap + after


def check_tree(root):
    """What nobody needs may not stay permitted, either."""
    used = set()
    found = check(root, used)
    page = (root / PAGE).read_text()
    if HEAD not in page or page != map_of(page):
        found.append(f"{PAGE}: the map is not that of RULES; "
                     "tests/lint/layers.py --write")
    for row, (folders, libs, _) in RULES.items():
        for what in sorted(folders | libs):
            if (row, what) not in used and row != what:
                found.append(f"{row}/ includes nothing of {what}: strike it")
    return found


def sample(name, include, **more):
    tree = {name: f"#include {include}\n"}
    tree.update({k.replace("__", "/") + ".h": "" for k in more})
    return tree


SAMPLES = [
    ("libpmu may use stdint",
     {"libpmu/a.c": "#include <stdint.h>\n#include \"a.h\"\n",
      "libpmu/a.h": ""}, None),
    ("an include in a comment is none",
     {"libpmu/a.c": "/*\n#include <stdio.h>\n*/\n"}, None),
    ("libpmu has no stdio", sample("libpmu/a.c", "<stdio.h>"), "stdio.h"),
    ("libpmu does not know the model",
     {"libpmu/a.c": "#include <fw/fw.h>\n",
      "firmware-model/include/fw/fw.h": ""}, "fw/fw.h"),
    ("the model has no private headers of libpmu",
     {"firmware-model/a.c": "#include \"../libpmu/hart-state.h\"\n",
      "libpmu/hart-state.h": ""}, "hart-state.h"),
    ("a folder's private header is its own",
     {"firmware-model/sbi/a.c": "#include \"sse/sse-hart.h\"\n",
      "firmware-model/sse/sse-hart.h": ""}, "sse-hart.h"),
    ("what a folder shows is everybody's",
     {"firmware-model/sbi/a.c": "#include \"sse/sse-event.h\"\n",
      "firmware-model/sse/sse-event.h": ""}, None),
    ("what a machine consists of is the core's",
     {"daemon/machine/control/a.c": "#include \"core/owners.h\"\n",
      "daemon/machine/core/owners.h": ""}, "core/owners.h"),
    ("nor has another folder it by what it includes",
     {"daemon/machine/control/a.c": "#include \"core/machine-hold.h\"\n",
      "daemon/machine/core/machine-hold.h": "#include \"owners.h\"\n",
      "daemon/machine/core/owners.h": ""}, "core/machine-hold.h"),
    ("nor by what it may include",
     {"daemon/machine/view/a.c": "#include \"core/machine-read.h\"\n",
      "daemon/machine/core/machine-read.h": "#include \"owners.h\"\n",
      "daemon/machine/core/owners.h": ""},
     "machine-read.h:1: daemon/machine/core/ may not include owners.h"),
    ("the core itself has it",
     {"daemon/machine/core/a.c": "#include \"owners.h\"\n",
      "daemon/machine/core/owners.h": ""}, None),
    ("the machine has Unicorn in one folder",
     sample("daemon/machine/engine/unicorn/a.c", "<unicorn/unicorn.h>"), None),
    ("the machine has Unicorn nowhere else",
     sample("daemon/machine/core/a.c", "<unicorn/unicorn.h>"), "unicorn.h"),
    ("the core knows no protocol",
     sample("daemon/machine/core/a.c", "\"pmu/v1/machines.pb-c.h\""),
     "machines.pb-c.h"),
    ("nor its library by the other name",
     sample("daemon/machine/core/a.c", "<google/protobuf-c/protobuf-c.h>"),
     "protobuf-c.h"),
    ("nor what is made of it",
     sample("daemon/machine/core/a.c", "\"pmu/method-facts.h\""),
     "method-facts.h"),
    ("who has a folder has what is made in it",
     sample("proto/methods/a.c", "\"pmu/method-facts.h\""), None),
    ("a library that nobody has spoken of",
     sample("cli/a.c", "<curl/curl.h>"), "curl.h"),
    ("the system's", sample("cli/a.c", "<sys/stat.h>"), None),
    ("control does not know the server",
     {"daemon/machine/control/a.c": "#include \"server/quota.h\"\n",
      "daemon/server/quota.h": ""}, "quota.h"),
    ("the server does not know the engine",
     {"daemon/server/a.c": "#include \"machine/engine/engine.h\"\n",
      "daemon/machine/engine/engine.h": ""}, "engine.h"),
    ("the gRPC server knows no machine",
     {"daemon/grpc/a.c": "#include \"server/hosted.h\"\n",
      "daemon/server/hosted.h": ""}, "hosted.h"),
    ("nor what is asked of one",
     sample("daemon/grpc/a.c", "\"pmu/v1/machines.pb-c.h\""),
     "machines.pb-c.h"),
    ("nor what pmud asks of one",
     sample("daemon/grpc/a.c", "\"pmu/internal/machine.pb-c.h\""),
     "internal"),
    ("nor which methods there are",
     {"daemon/grpc/a.c": "#include \"methods/methods.h\"\n",
      "proto/methods/methods.h": ""}, "methods.h"),
    ("it has messages of its own",
     sample("daemon/grpc/a.c", "\"std/status.pb-c.h\""), None),
    ("the client does not know libpmu",
     {"client/a.c": "#include <pmu/hart.h>\n",
      "libpmu/include/pmu/hart.h": ""}, "pmu/hart.h"),
    ("a system header is no file of the tree of the same name",
     sample("client/a.c", "<time.h>", libpmu__include__pmu__time=""), None),
    ("the client knows the public protocol",
     sample("client/a.c", "\"pmu/v1/machine.pb-c.h\""), None),
    ("the client does not know the internal protocol",
     sample("client/a.c", "\"pmu/internal/machine.pb-c.h\""), "internal"),
    ("a test knows what is private",
     {"tests/a.c": "#include \"sse/sse-hart.h\"\n",
      "firmware-model/sse/sse-hart.h": ""}, None),
    ("a second model does not know the first",
     {"tests/fuzz/a.c": "#include \"hart-state.h\"\n",
      "libpmu/hart-state.h": ""}, "hart-state.h"),
    ("a guest knows no machine",
     {"guests/a.c": "#include <pmu/hart.h>\n",
      "libpmu/include/pmu/hart.h": ""}, "pmu/hart.h"),
    ("a test has Unicorn by the engine only",
     sample("tests/unit/a.c", "<unicorn/unicorn.h>"), "unicorn.h"),
    ("the command line does not know the daemon",
     {"cli/a.c": "#include \"daemon/limits.h\"\n", "daemon/limits.h": ""},
     "limits.h"),
]



def write(root):
    page = root / PAGE
    page.write_text(map_of(page.read_text()))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write(pathlib.Path(__file__).resolve().parents[2])
        sys.exit()
    common.main(check_tree, SAMPLES, check)
