# SPDX-License-Identifier: BSD-2-Clause
"""What it costs as there is more of it: harts, machines, RAM, samples, records,
breakpoints; as a table and as a picture (docs/pictures/curves.svg)."""
import statistics
import tempfile

import peers
from kernel import booted, staged
from peers import TOP
from table import table

PICTURE = TOP / "docs/pictures/curves.svg"
PERIODS = [1000000, 100000, 10000, 1000]
RECORDS = [10000, 100000, 1000000]
BREAKPOINTS = [0, 1, 8, 64]
ENTRY = 0x80100000  # where no guest is: never reached
COLUMNS, WIDTH, HEIGHT, EDGE = 2, 360, 200, 48


class Curve:
    """Points of one kind of growth, each a median."""

    def __init__(self, title, across, up):
        self.title, self.across, self.up = title, across, up
        self.points = []

    def add(self, x, figures):
        """Add the median of some figures at @x."""
        self.points.append((x, statistics.median(figures)))


def boots(rows, title, across, options):
    """A curve of boots of Linux to power off."""
    curve = Curve(title, across, "seconds of CPU")
    with tempfile.TemporaryDirectory() as folder:
        initrd = staged(folder, "true", "true")
        for x, more in options:
            curve.add(x, [booted(rows.main, initrd, more)[0]
                          for _ in range(rows.runs)])
    return curve


def harts(rows):
    """Boots of so many harts that Linux uses."""
    return boots(rows, "A boot with all harts in use", "harts",
                 [(n, ["--harts", str(n)]) for n in (1, 2, 4, 8)])


def waiting(rows):
    """Boots of so many harts, of which Linux uses one."""
    return boots(rows, "A boot with one hart in use, the others wait", "harts",
                 [(n, ["--harts", str(n), "--append", "maxcpus=1"])
                  for n in (1, 2, 4, 8)])


def ram(rows):
    """Boots with so much memory."""
    return boots(rows, "A boot with more memory", "MiB of RAM",
                 [(n, ["--memory", f"{n}M"]) for n in (128, 512, 2048, 8192)])


def machines(rows):
    """So many machines at once."""
    curve = Curve("Machines at once", "machines", "seconds of the clock, each")
    for n in (1, 2, 4, 8, 16):
        curve.add(n, [peers.together(rows.main, rows.main.image("compute"), n)
                      / n for _ in range(rows.runs)])
    return curve


def sampled(rows):
    """A loop sampled at ever shorter periods."""
    curve = Curve("Samples of an observer", "period", "us of CPU for a sample")
    image = rows.main.image("compute")
    insns = rows.main.instructions(image)
    plain = [rows.main.guest(image)[0] for _ in range(rows.runs)]
    for period in PERIODS:
        spent = [rows.main.sampled(image, period) for _ in range(rows.runs)]
        curve.add(period, [(s - p) * 1e6 * period / insns
                           for s, p in zip(spent, plain)])
    return curve


def recorded(rows):
    """SBI calls that are stored, ever more of them."""
    curve = Curve("Records of a trace", "records", "us of CPU for a record")
    image = rows.main.image("ecall")
    loop = rows.main.instructions(image) / 1e6  # a call's share of the loop
    for n in RECORDS:
        limit = ["--max-insns", str(int(n * loop))]
        figures = []
        for _ in range(rows.runs):
            plain = rows.main.guest(image, *limit, codes=(0, 124))[0]
            stored = rows.main.guest(image, *limit, "--record", "sbi",
                                     "--trace", "/dev/null",
                                     codes=(0, 124))[0]
            figures.append((stored - plain) / n * 1e6)
        curve.add(n, figures)
    return curve


def breakpoints(rows):
    """A loop with ever more breakpoints that it does not reach."""
    curve = Curve("Breakpoints elsewhere", "breakpoints", "seconds of CPU")
    image = rows.main.image("compute")
    for n in BREAKPOINTS:
        steps = [(("machine", "break"),
                  [hex(ENTRY + 4 * i) for i in range(n)])] if n else []
        curve.add(n, [rows.main.session(image, *steps)[0]
                      for _ in range(rows.runs)])
    return curve


def plot(curve, left, top):
    """Return one curve as SVG: points at equal distances, labelled."""
    most = max(y for _, y in curve.points) or 1
    step = (WIDTH - 2 * EDGE) / max(len(curve.points) - 1, 1)
    base, high = top + HEIGHT - EDGE, HEIGHT - 2 * EDGE
    spots = [(left + EDGE + i * step, base - high * y / most, x, y)
             for i, (x, y) in enumerate(curve.points)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in spots)
    out = [f'<text x="{left + EDGE}" y="{top + 20}" class="t">'
           f'{curve.title}</text>',
           f'<text x="{left + WIDTH / 2:.0f}" y="{base + 36}" class="m">'
           f'{curve.across}; up: {curve.up}</text>',
           f'<path d="M{left + EDGE} {base}h{WIDTH - 2 * EDGE}" class="a"/>',
           f'<polyline points="{line}" class="l"/>']
    for x, y, across, up in spots:
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>',
                f'<text x="{x:.1f}" y="{y - 8:.1f}" class="m">{up:.3g}</text>',
                f'<text x="{x:.1f}" y="{base + 16}" class="m">'
                f'{across:g}</text>']
    return "\n".join(out)


def picture(found):
    """Write all curves as one picture."""
    lines = (len(found) + COLUMNS - 1) // COLUMNS
    parts = [plot(c, i % COLUMNS * WIDTH, i // COLUMNS * HEIGHT)
             for i, c in enumerate(found)]
    PICTURE.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'width="{COLUMNS * WIDTH}" height="{lines * HEIGHT}" '
        'font-family="sans-serif" font-size="11">\n'
        "<style>.t{font-weight:bold}.m{text-anchor:middle}"
        ".a{stroke:#888}.l{fill:none;stroke:#06c;stroke-width:2}"
        "circle{fill:#06c}</style>\n"
        '<rect width="100%" height="100%" fill="#fff"/>\n' +
        "\n".join(parts) + "\n</svg>\n", encoding="ascii")


def curves(rows):
    """Cost as work grows."""
    found = [make(rows) for make in (harts, waiting, machines, ram, sampled,
                                     recorded, breakpoints)]
    table("As work grows", ["what", "of how much", "figures"],
          [[f"{c.title}, {c.up}", c.across,
            ", ".join(f"{x:g}: {y:.3g}" for x, y in c.points)]
           for c in found])
    picture(found)
    print(f"\nThe same as a picture: `{PICTURE.relative_to(TOP)}`.")
