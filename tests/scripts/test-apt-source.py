#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""scripts/apt-source.py finds the machine's own archive in any apt sources."""
import importlib.util
import pathlib
import sys
import tempfile

import checks

spec = importlib.util.spec_from_file_location(
    "apt_source", pathlib.Path(sys.argv[1]) / "scripts/apt-source.py")
apt_source = importlib.util.module_from_spec(spec)
spec.loader.exec_module(apt_source)

DEB822 = """Types: deb deb-src
# a note inside
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /etc/keys/own.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
"""

# why, files below the apt directory, the expected line without its signed-by,
# the expected signed-by or None
ROWS = [
    ("deb822", {"sources.list.d/debian.sources": DEB822},
     "deb http://mirror.example/debian trixie main", "/etc/keys/own.gpg"),
    ("one line", {"sources.list":
                  "deb http://a.example/debian/ bookworm main non-free\n"},
     "deb http://a.example/debian/ trixie main", None),
    ("one line with options",
     {"sources.list": "deb [arch=amd64 signed-by=/k.gpg trusted=yes] "
      "https://a.example/debian bookworm main # note\n"},
     "deb trusted https://a.example/debian trixie main", "/k.gpg"),
    ("a comment is no source", {"sources.list":
                                "# deb http://a.example/debian bookworm main\n"},
     None, None),
    ("sources without packages do not count",
     {"sources.list": "deb-src http://a.example/debian bookworm main\n"},
     None, None),
    ("a disabled stanza does not count",
     {"sources.list.d/a.sources": "Enabled: no\n" + DEB822.split("\n\n")[0]},
     None, None),
    ("a file of another suffix does not count",
     {"sources.list.d/a.sources.off": DEB822}, None, None),
    ("the release's name beats an alias",
     {"sources.list": "deb http://b.example/debian stable main\n"
      "deb http://a.example/debian bookworm main\n"},
     "deb http://a.example/debian trixie main", None),
    ("an alias of Debian's own archive will do",
     {"sources.list": "deb http://b.example/debian stable main\n"},
     "deb http://b.example/debian trixie main", None),
    ("another vendor's stable is not Debian's",
     {"sources.list": "deb http://b.example/chrome stable main\n"},
     None, None),
    ("another vendor's packages for the release come last",
     {"sources.list": "deb http://b.example/vendor bookworm main\n"
      "deb http://a.example/debian bookworm main\n"},
     "deb http://a.example/debian trixie main", None),
    ("an archive under another name", {"sources.list":
     "deb mirror+file:/etc/mirrors.list bookworm main\n"},
     "deb mirror+file:/etc/mirrors.list trixie main", None),
    ("a key inside the stanza is not a file name",
     {"sources.list.d/a.sources": "Types: deb\nURIs: http://a.example/debian\n"
      "Suites: bookworm\nComponents: main\nSigned-By:\n -----BEGIN\n .\n x\n"},
     "deb http://a.example/debian trixie main", None),
    ("no sources at all", {}, None, None),
]

# The same of what is wanted for source packages: the machine's own sources have
# none of them, or some.
SOURCES = [
    ("source packages where deb822 names binary ones",
     {"sources.list.d/debian.sources": DEB822.replace(" deb-src", "")},
     "deb-src http://mirror.example/debian trixie main", "/etc/keys/own.gpg"),
    ("source packages where one line names binary ones",
     {"sources.list": "deb [signed-by=/k.gpg] http://a.example/debian bookworm "
      "main\ndeb-src http://b.example/debian bookworm main\n"},
     "deb-src http://a.example/debian trixie main", "/k.gpg"),
]


def line_for(tree, kind):
    with tempfile.TemporaryDirectory() as name:
        etc = pathlib.Path(name)
        for path, content in tree.items():
            (etc / path).parent.mkdir(exist_ok=True)
            (etc / path).write_text(content)
        return apt_source.source_line(etc, "bookworm", "trixie", kind)


def split(line):
    """Return a line without its signing key, and the key."""
    if line is None or "[" not in line:
        return line, None
    options, rest = line.split("[")[1].split("] ", 1)
    keys = [o[10:] for o in options.split() if o.startswith("signed-by=")]
    trusted = "trusted " if "trusted=yes" in options else ""
    kind = line.split(" ")[0]
    return f"{kind} {trusted}{rest}", keys[0] if keys else None


def verdict(row):
    (_, tree, want, key), kind = row
    got, got_key = split(line_for(tree, kind))
    if got_key == apt_source.KEYRING:
        got_key = None
    return checks.same(((got, got_key), (want, key)))


ALL = [(row, "deb") for row in ROWS] + [(row, "deb-src") for row in SOURCES]
checks.main([(row[0][0], verdict, row) for row in ALL])
