#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Print an apt source line for another suite of the machine's own archive.

usage: apt-source.py SUITE [--source] [--etc DIR]

Reads the apt sources of the machine, one-line and deb822, finds the entry
that gives the release's main packages, and prints one one-line entry for
SUITE from the same place, signed by the same key; with --source one for its
source packages. It decides which entry that is; it fetches nothing.
"""
import argparse
import pathlib
import re
import sys

ALIASES = {"stable", "oldstable", "oldoldstable", "testing", "unstable", "sid"}
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def one_line(text):
    """Yield (uri, suites, components, options) of a *.list file."""
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        m = re.match(r"deb\s+(?:\[([^\]]*)\]\s*)?(\S+)\s+(\S+)\s*(.*)", line)
        if m:
            options = dict(o.split("=", 1) for o in (m[1] or "").split()
                           if "=" in o)
            yield m[2], [m[3]], m[4].split(), {
                k.lower(): v for k, v in options.items()}


def deb822(text):
    """Yield (uri, suites, components, options) of a *.sources file."""
    lines = [l for l in text.splitlines() if not l.startswith("#")]
    for stanza in re.split(r"\n\s*\n", "\n".join(lines)):
        fields = {}
        name = None
        for line in stanza.splitlines():
            if line[:1] in (" ", "\t") and name:
                fields[name] += "\n" + line.strip()
            elif ":" in line:
                name, value = line.split(":", 1)
                name = name.strip().lower()
                fields[name] = value.strip()
        if "deb" not in fields.get("types", "").split():
            continue
        if fields.get("enabled", "yes").lower() in ("no", "false", "0"):
            continue
        for uri in fields.get("uris", "").split():
            yield (uri, fields.get("suites", "").split(),
                   fields.get("components", "").split(), fields)


def entries(etc):
    """Yield every enabled binary entry of the machine."""
    files = [etc / "sources.list"] + sorted(etc.glob("sources.list.d/*"))
    for path in files:
        if not path.is_file():
            continue
        if path.suffix == ".list":
            yield from one_line(path.read_text(errors="replace"))
        elif path.suffix == ".sources":
            yield from deb822(path.read_text(errors="replace"))


def rank(entry, codename):
    """Tell how surely an entry is Debian's main archive; 0 is not at all."""
    uri, suites, components, _ = entry
    if "main" not in components:
        return 0
    debian = uri.rstrip("/").endswith("/debian")
    if codename in suites:
        return 3 if debian else 2
    return 1 if debian and ALIASES & set(suites) else 0


def source_line(etc, codename, suite, kind="deb"):
    """Return the line for suite, or None without a usable entry."""
    found = [e for e in entries(etc) if rank(e, codename)]
    if not found:
        return None
    uri, _, _, options = max(found, key=lambda e: rank(e, codename))
    key = options.get("signed-by", "")
    given = []
    if key.startswith("/") and len(key.split()) == 1:
        given.append("signed-by=" + key)
    elif pathlib.Path(KEYRING).exists():
        given.append("signed-by=" + KEYRING)
    if options.get("trusted", "").lower() == "yes":
        given.append("trusted=yes")
    shown = "[" + " ".join(given) + "] " if given else ""
    return f"{kind} {shown}{uri} {suite} main"


def codename_of(os_release):
    """Return VERSION_CODENAME of an os-release text, or an empty string."""
    m = re.search(r'^VERSION_CODENAME="?([^"\n]*)', os_release, re.M)
    return m[1] if m else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite")
    parser.add_argument("--source", action="store_const", const="deb-src",
                        default="deb")
    parser.add_argument("--etc", type=pathlib.Path,
                        default=pathlib.Path("/etc/apt"))
    parser.add_argument("--os-release", type=pathlib.Path,
                        default=pathlib.Path("/etc/os-release"))
    args = parser.parse_args()
    line = source_line(args.etc, codename_of(args.os_release.read_text()),
                       args.suite, args.source)
    if line is None:
        sys.exit("apt-source: no Debian archive in the apt sources")
    print(line)


if __name__ == "__main__":
    main()
