# SPDX-License-Identifier: BSD-2-Clause
"""Writes cpio archives of the kind that the kernel unpacks ("newc").

The same entries give the same bytes: owner root, no times, inodes by order.
"""
import stat


class Archive:
    """Entries by path, without a leading slash; folders come by themselves."""

    def __init__(self):
        self.entries = {}

    def _put(self, path, mode, data=b"", device=(0, 0)):
        path = path.strip("/")
        at = path.rpartition("/")[0]
        if at and at not in self.entries:
            self.folder(at)
        self.entries[path] = mode, data, device

    def folder(self, path):
        self._put(path, stat.S_IFDIR | 0o755)

    def file(self, path, data, mode=0o644):
        self._put(path, stat.S_IFREG | mode, data)

    def link(self, path, target):
        self._put(path, stat.S_IFLNK | 0o777, target.encode())

    def character(self, path, major, minor):
        self._put(path, stat.S_IFCHR | 0o600, device=(major, minor))

    def pack(self):
        """Return the archive; folders stand before what is in them."""
        out = bytearray()
        for inode, (path, entry) in enumerate(sorted(self.entries.items()), 1):
            add(out, inode, path, *entry)
        add(out, 0, "TRAILER!!!", 0, b"", (0, 0))
        # the kernel takes an archive behind another at such a boundary
        return bytes(out.ljust(-(-len(out) // 512) * 512, b"\0"))


def add(out, inode, path, mode, data, device):
    """Append one entry to the bytes @out."""
    name = path.encode() + b"\0"
    fields = (inode, mode, 0, 0, 2 if stat.S_ISDIR(mode) else 1, 0, len(data),
              0, 0, *device, len(name), 0)
    out += b"070701" + b"".join(b"%08X" % f for f in fields) + name
    out += bytes(-len(out) % 4)
    out += data
    out += bytes(-len(out) % 4)
