#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every shell script parses and shellcheck has nothing to say about it."""
import re
import subprocess

import common

SHEBANG = re.compile(r"#!\s*\S*/(?:env\s+)?(bash|sh|dash)\b")
DIRECTIVE = "\n# shellcheck shell="


def is_shell(path):
    source = common.text(path)
    return bool(source) and (bool(SHEBANG.match(source)) or
                             DIRECTIVE in source.split("\n\n")[0])


def run(command, root):
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    out = (done.stdout + done.stderr).strip()
    return out.splitlines() or ["failed"] if done.returncode else []


def check(root):
    found = []
    names = [str(p.relative_to(root)) for p in common.files(root)
             if is_shell(p)]
    for name in names:
        found.extend(run(["bash", "-n", name], root))
    if names and not found:
        found.extend(run(["shellcheck", "-x", "-f", "gcc"] + names, root))
    return found


SAMPLES = [
    ("a good script", {"a": "#!/bin/bash\necho \"$1\"\n"}, None),
    ("a script that does not parse", {"a": "#!/bin/bash\nif true\n"},
     "syntax error"),
    ("an unquoted variable", {"a": "#!/bin/bash\nrm $1\n"}, "SC2086"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
