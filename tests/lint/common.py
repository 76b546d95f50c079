# SPDX-License-Identifier: BSD-2-Clause
"""What the lints share: the list of files, reading C, self tests and TAP.

A lint is a function check(root) that returns findings, one line each. Every
lint proves itself first: its samples are small trees, some bad, and each bad
one must yield the finding it names. Then the tree itself is checked.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

SKIPPED = {".git", ".deps", "node_modules", "__pycache__"}


def _walk(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if not SKIPPED & set(parts) and not parts[0].startswith("build"):
            yield path


def looked_at(things):
    """Return what a lint looks at: one that looks at nothing finds nothing."""
    looked_at.n += len(things)
    return things


looked_at.n = 0


def files(root, *suffixes):
    """Return the tree's files with one of the suffixes, all without any.

    In a git checkout these are the files that are tracked or could be.
    """
    if (root / ".git").exists():
        out = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"],
            cwd=root, check=True, capture_output=True).stdout.decode()
        found = [root / name for name in sorted(out.split("\0")) if name]
    else:
        found = _walk(root)
    return looked_at([p for p in found if p.is_file() and
                      not p.is_symlink() and
                      (not suffixes or p.suffix in suffixes)])


def text(path):
    """Return a file's text, or None for a file that is not text."""
    data = path.read_bytes()
    return None if b"\0" in data else data.decode(errors="replace")


TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|'
                   r'/\*.*?\*/|//[^\n]*', re.S)


def blank(source, keep_strings=False):
    """Return C source with comments (and strings) blanked, lines kept."""
    def one(m):
        if m[0][0] in "\"'" and keep_strings:
            return m[0]
        return re.sub(r"[^\n]", " ", m[0])
    return TOKEN.sub(one, source)


def line_of(source, offset):
    return source.count("\n", 0, offset) + 1


def _grow(directory, tree):
    for name, content in tree.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def _sample(check, tree, wanted):
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        _grow(directory, tree)
        found = check(directory)
    if wanted is None:
        return found
    hit = any(wanted in f for f in found)
    return [] if hit else [f"wanted a finding with '{wanted}', got {found}"]


def main(check, samples, check_sample=None):
    """Run the samples and then the tree named on the command line, as TAP.

    @check_sample is for a lint that checks a sample by other lists.
    """
    root = pathlib.Path(sys.argv[1]).resolve()
    small = check_sample or check
    results = asserted.Results()
    for why, tree, wanted in samples:
        findings = _sample(small, tree, wanted)
        results.add(not findings, f"sample: {why}", findings)
    looked_at.n = 0
    findings = check(root)
    results.add(not findings, "the tree", findings, compared=looked_at.n)
    sys.exit(results.done())
