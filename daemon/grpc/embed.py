#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes a file's bytes as a C array: embed.py NAME INPUT OUTPUT."""

import sys


def main():
    name, source, target = sys.argv[1:]
    with open(source, "rb") as f:
        data = f.read()
    rows = [
        ", ".join(str(byte) for byte in data[i : i + 16])
        for i in range(0, len(data), 16)
    ]
    with open(target, "w", encoding="ascii") as f:
        f.write("#include <stddef.h>\n\n")
        f.write(f"extern const unsigned char {name}[];\n")
        f.write(f"extern const size_t {name}_len;\n")
        f.write(f"const unsigned char {name}[] = {{\n\t")
        f.write(",\n\t".join(rows))
        f.write(f"\n}};\nconst size_t {name}_len = sizeof({name});\n")


if __name__ == "__main__":
    main()
