# SPDX-License-Identifier: BSD-2-Clause
"""What can be mutated in a C source, found in its tokens.

The tree is laid out by clang-format, and that is used: a binary operator
stands between blanks, a pointer's star or a sign does not. Preprocessor lines
stay as they are. A mutant that does not compile is not one.
"""
import collections
import hashlib
import os
import re

TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>/\*.*?\*/)"
    r"|(?P<line>^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*)"
    r'|(?P<string>(?:[uUL]|u8)?"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b|\d+\.\d*\w*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||<<|>>|[-+*/%&|^=!<>]=|.)",
    re.S | re.M)

Token = collections.namedtuple("Token", "kind text start end binary")

# A mutant: path and 1-based line for people; the id stays while the text of
# its function does (a table: its line); start and end of what new replaces;
# the lines of the statement around it; whether any of it is executed at all.
Mutant = collections.namedtuple(
    "Mutant", "id path line kind scope old new start end first last table")

SWAPS = {
    "relational": {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="),
                   ">=": (">", "<"), "==": ("!=",), "!=": ("==",)},
    "arithmetic": {"+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",),
                   "%": ("*",), "+=": ("-=",), "-=": ("+=",), "*=": ("/=",),
                   "/=": ("*=",), "%=": ("*=",)},
    "logical": {"&&": ("||",), "||": ("&&",)},
    "bit": {"&": ("|",), "|": ("&",), "^": ("|",), "<<": (">>",),
            ">>": ("<<",), "&=": ("|=",), "|=": ("&=",), "^=": ("|=",),
            "<<=": (">>=",), ">>=": ("<<=",)},
}
UNARY = {"++": ("arithmetic", "--"), "--": ("arithmetic", "++"),
         "-": ("arithmetic", ""), "!": ("logical", ""), "~": ("bit", "")}
# How often a kind is drawn: numbers and rows of tables are many.
WEIGHTS = {"relational": 1.0, "arithmetic": 1.0, "logical": 1.0, "bit": 1.0,
           "condition": 1.0, "deletion": 0.8, "return": 0.8, "constant": 0.5,
           "table": 0.3}
TYPES = set("const static struct enum union unsigned signed int char long "
            "short bool void float double extern register volatile "
            "_Alignas _Static_assert typedef typeof".split())
CONTROL = {"if", "while", "for", "switch"}
# Statements whose absence no test can see.
KEPT = {"assert", "va_end", "va_start", "void", "__builtin_unreachable"}


def tokens(source):
    """Return the tokens that are neither blanks, comments nor directives."""
    found, blank = [], True
    for m in TOKEN.finditer(source):
        kind = m.lastgroup
        if kind in ("space", "comment", "line"):
            blank = True
            continue
        after = source[m.end():m.end() + 1]
        found.append(Token(kind, m[0], m.start(), m.end(),
                           blank and after.isspace()))
        blank = False
    return found


def _matching(toks):
    """Return {index: index of the other} for all brackets."""
    pairs, stack = {}, []
    for i, t in enumerate(toks):
        if t.kind == "op" and t.text in "([{":
            stack.append(i)
        elif t.kind == "op" and t.text in ")]}" and stack:
            pairs[i] = stack.pop()
            pairs[pairs[i]] = i
    return pairs


def number(text):
    """Return the numbers beside a literal, as literals."""
    m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)", text)
    if not m:
        return ()
    octal = m[1].startswith("0") and m[1].isdigit() and len(m[1]) > 1
    value = int(m[1], 8) if octal else int(m[1], 0)
    form = "{:#x}" if m[1][:2] in ("0x", "0X") else "{}"
    beside = (value + 1, value - 1) if value else (1,)
    return tuple(form.format(v) + m[2] for v in beside)


class Reader:
    """The mutants of one source."""

    def __init__(self, path, source):
        self.path, self.source = path, source
        self.toks = tokens(source)
        self.pairs = _matching(self.toks)
        self.found = []
        self.ordinals = collections.Counter()

    def read(self):
        depth_from = 0
        i = 0
        while i < len(self.toks):
            t = self.toks[i]
            if t.text == ";":
                depth_from = i + 1
            elif t.text == "{" and i in self.pairs:
                end = self.pairs[i]
                self._top(depth_from, i, end)
                before = self.toks[i - 1].text if i else ""
                i = end
                if before == ")":
                    depth_from = end + 1
            elif t.text in "([" and i in self.pairs:
                i = self.pairs[i]
            i += 1
        return self.found

    def _top(self, first, i, end):
        """One pair of braces at file level: @first is where it begins."""
        before = self.toks[i - 1].text if i else ""
        names = [t.text for t in self.toks[first:i]]
        if before == ")":
            opening = self.pairs[i - 1]
            self._function(self.toks[opening - 1].text, i, end)
        elif before == "=":
            name = next((t for t, n in zip(names, names[1:] + [""])
                         if n in ("[", "=") and t != "]"), "")
            self._table(name, i, end)
        elif "enum" in names:
            self._table(names[-1], i, end)

    # Functions

    def _function(self, name, i, end):
        self.scope = name
        self.text = " ".join(t.text for t in self.toks[i:end + 1])
        self.table = False
        self._block(i + 1, end)

    def _block(self, i, end):
        while i < end:
            i = self._statement(i, end)

    def _statement(self, i, end):
        """One statement that begins at i; return where the next begins."""
        t = self.toks[i]
        if t.text == "{":
            self._block(i + 1, self.pairs[i])
            return self.pairs[i] + 1
        if t.text in CONTROL and self.toks[i + 1].text == "(":
            close = self.pairs[i + 1]
            self._head(t.text, i, close)
            return close + 1
        if t.text in ("else", "do", ";"):
            return i + 1
        if t.text in ("case", "default") or (
                t.kind == "name" and self.toks[i + 1].text == ":"):
            j = i
            while self.toks[j].text != ":":
                j += 1
            self._operators(i, j, i, j)
            return j + 1
        j = i
        while j < end and self.toks[j].text != ";":
            if self.toks[j].text in "([{":
                j = self.pairs[j]
                if self.toks[j].text == ")" and j + 1 < end and \
                        self.toks[j + 1].text == "{" and \
                        self.toks[i].kind == "name" and \
                        self.pairs[j] == i + 1:
                    return j + 1  # a macro that is a loop's head
            j += 1
        self._simple(i, j)
        return j + 1

    def _head(self, keyword, i, close):
        """if (...), while (...), for (...; ...; ...), switch (...)."""
        first, last = i + 2, close
        self._operators(first, last, i, close)
        if keyword == "switch":
            return
        if keyword == "for":
            parts = [j for j in range(i + 2, close)
                     if self.toks[j].text == ";" and self._level(j, i + 1)]
            if len(parts) != 2 or parts[0] + 1 == parts[1]:
                return
            first, last = parts[0] + 1, parts[1]
        start, stop = self.toks[first].start, self.toks[last - 1].end
        text = self.source[start:stop]
        self._add("condition", start, stop, text, f"!({text})", i, close)

    def _level(self, j, opening):
        """Is token j directly inside the bracket at opening?"""
        return not any(self.toks[k].text in "([{" and
                       self.pairs.get(k, -1) > j
                       for k in range(opening + 1, j))

    def _simple(self, i, j):
        """A statement without parts; the semicolon is token j."""
        first = self.toks[i]
        start, stop = first.start, self.toks[j - 1].end
        text = self.source[start:stop]
        declares = self._declares(i)
        if first.text == "return":
            if j > i + 1:
                value = " ".join(t.text for t in self.toks[i + 1:j])
                if not re.fullmatch(r"0|false|true|NULL|-?\d+", value):
                    self._add("return", start, stop, text, "return 0", i, j)
                self._operators(i + 1, j, i, j)
            return
        if first.text in ("break", "continue"):
            self._add("deletion", start, stop, text, "", i, j)
            return
        if first.text == "goto":
            return
        if not declares and first.text not in KEPT and \
                self.toks[i + 1].text != "void":
            self._add("deletion", start, stop, text, "", i, j)
        if first.text not in ("assert", "_Static_assert"):
            self._operators(i, j, i, j, declares)

    def _declares(self, i):
        a, b, c = (self.toks[k] if k < len(self.toks) else self.toks[-1]
                   for k in (i, i + 1, i + 2))
        if a.kind != "name":
            return False
        return (a.text in TYPES or a.text.endswith("_t") or
                b.kind == "name" or
                (b.text == "*" and not b.binary and c.kind == "name"))

    # Tables

    def _table(self, name, i, end):
        self.scope, self.table = name, True
        self._operators(i + 1, end, i, end)

    # What a stretch of tokens has

    def _operators(self, i, j, first, last, declares=False):
        for k in range(i, j):
            t = self.toks[k]
            if t.kind in ("number", "char") or t.text in ("true", "false"):
                self._constant(k, first, last, declares)
            elif t.kind == "op":
                self._operator(k, first, last)

    def _operator(self, k, first, last):
        t = self.toks[k]
        for kind, swaps in SWAPS.items():
            if t.text in swaps and t.binary:
                for new in swaps[t.text]:
                    self._add(kind, t.start, t.end, t.text, new, first, last)
                return
        if t.text in UNARY and not t.binary:
            if t.text == "-" and self.toks[k + 1].text in ("0", "-"):
                return
            kind, new = UNARY[t.text]
            self._add(kind, t.start, t.end, t.text, new, first, last)

    def _constant(self, k, first, last, declares):
        t = self.toks[k]
        before, after = self.toks[k - 1].text, self.toks[k + 1].text
        if before == "[" and after == "]" and \
                (declares or (self.table and
                              self.toks[k + 2].text not in ("=", "[", "."))):
            return
        if t.text in ("true", "false"):
            new = ("false" if t.text == "true" else "true",)
        elif t.kind == "char":
            if len(t.text) != 3 or not t.text[1].isalnum():
                return
            new = (f"'{chr(ord(t.text[1]) + 1)}'",)
        else:
            new = number(t.text)
        for text in new:
            self._add("constant", t.start, t.end, t.text, text, first, last)

    def _add(self, kind, start, end, old, new, first, last):
        line = self.source.count("\n", 0, start) + 1
        if self.table:
            kind = "table" if kind == "constant" else kind
            lines = self.source.split("\n")
            text = " ".join(lines[line - 1].split())
        else:
            text = self.text
        key = (self.scope, text, kind, old, new)
        ordinal = self.ordinals[key]
        self.ordinals[key] += 1
        name = "\0".join((os.path.basename(self.path), *key, str(ordinal)))
        self.found.append(Mutant(
            hashlib.sha256(name.encode()).hexdigest()[:12], self.path, line,
            kind, self.scope, " ".join(old.split()), " ".join(new.split()),
            start, end,
            self.source.count("\n", 0, self.toks[first].start) + 1,
            self.source.count("\n", 0, self.toks[last].end) + 1, self.table))


def mutants(path, source):
    """Return all mutants of the source that stands at path in the tree."""
    return Reader(path, source).read()


def apply(mutant, source):
    """Return the source with the mutant in it."""
    new = mutant.new
    if mutant.kind == "condition":
        new = f"!({source[mutant.start:mutant.end]})"
    return source[:mutant.start] + new + source[mutant.end:]
