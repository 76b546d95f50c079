#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every shell script parses and shellcheck has nothing to say about it.

One of scripts/ begins with lib.sh, by which nothing ends without a reason.
"""
import re
import subprocess

import common

SHEBANG = re.compile(r"#!\s*\S*/(?:env\s+)?(bash|sh|dash)\b")
DIRECTIVE = "\n# shellcheck shell="
READS_LIB = re.compile(r'^set -euo pipefail\n(?:#.*\n)*'
                       r'\. "\$\(dirname "\$0"\)/lib\.sh"$', re.M)


def is_shell(path):
    source = common.text(path)
    return bool(source) and (bool(SHEBANG.match(source)) or
                             DIRECTIVE in source.split("\n\n")[0])


def run(command, root):
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    out = (done.stdout + done.stderr).strip()
    return out.splitlines() or ["failed"] if done.returncode else []


def ends_in_silence(root):
    """Return the scripts that do not read lib.sh behind set -e."""
    for path in common.files(root):
        source = common.text(path)
        if path.parent == root / "scripts" and source and \
                SHEBANG.match(source) and not READS_LIB.search(source):
            yield f"{path.relative_to(root)}: reads no lib.sh behind set -e"


def check(root):
    found = list(ends_in_silence(root))
    names = [str(p.relative_to(root)) for p in common.files(root)
             if is_shell(p)]
    for name in names:
        found.extend(run(["bash", "-n", name], root))
    if names and not found:
        found.extend(run(["shellcheck", "-x", "-f", "gcc"] + names, root))
    return found


LIB = """#!/bin/bash
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "$0")/lib.sh"
"""
SAMPLES = [
    ("a good script", {"a": "#!/bin/bash\necho \"$1\"\n"}, None),
    ("a script that does not parse", {"a": "#!/bin/bash\nif true\n"},
     "syntax error"),
    ("a script with lib.sh", {"scripts/a": LIB + "echo\n"}, None),
    ("a script without lib.sh",
     {"scripts/a": LIB.rpartition("#")[0] + "echo\n"}, "reads no lib.sh"),
    ("a script that may fail before lib.sh",
     {"scripts/a": LIB.replace("pipefail\n", "pipefail\nfalse\n")},
     "reads no lib.sh"),
    ("an unquoted variable", {"a": "#!/bin/bash\nrm $1\n"}, "SC2086"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
