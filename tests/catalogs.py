"""The catalogs of the languages: what the code says, and the `.po` files made into `.mo` files.

`python -m tests.catalogs` writes every `.mo` file anew after a change of its `.po` file, and lists the texts that a
`.po` file lacks or has for nothing. The format is that of GNU gettext.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from pyramide_cli.cli.app import app
from pyramide_cli.cli.play import play
from pyramide_cli.cli.spoken import help_texts
from pyramide_cli.messages import CATALOGS, DOMAIN, LANGUAGES

PACKAGE = CATALOGS.parent
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
_CALLS = {"_": 1, "gettext": 1, "ngettext": 2}


class Text(NamedTuple):
    """A text of the code, with its plural where it has one."""

    one: str
    many: str | None = None


class Entry(NamedTuple):
    """A text of a catalog and its translations, one for each plural form."""

    text: Text
    forms: tuple[str, ...]


def texts_of_code() -> set[Text]:
    """Return every text that the package hands to gettext: one literal each, and the help of `play`."""
    found = set(map(Text, help_texts(play, click.Context(play, click.Context(app, **app.context_settings)))))
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name == "messages.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in _CALLS:
                literals = []
                for argument in node.args[: _CALLS[name]]:
                    assert isinstance(argument, ast.Constant), f"{path}:{node.lineno}: no literal"
                    assert isinstance(argument.value, str)
                    literals.append(argument.value)
                found.add(Text(*literals))
    return found


def catalog(language: str, kind: str = "po") -> Path:
    """Return where a catalog lies."""
    return CATALOGS / language / "LC_MESSAGES" / f"{DOMAIN}.{kind}"


def read(language: str) -> list[Entry]:
    """Read a `.po` file; the entry with the empty text is its header."""
    entries = []
    for block in re.split(r"\n\s*\n", catalog(language).read_text(encoding="utf-8").strip()):
        fields: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            if line.startswith("#"):
                continue
            match = re.fullmatch(r'(?:(msg\w+(?:\[\d\])?) )?"(.*)"', line)
            assert match, f"{language}: {line}"
            key = match[1] or key
            fields[key] = fields.get(key, "") + ast.literal_eval(f'"{match[2]}"')
        if fields:
            forms = tuple(fields[key] for key in sorted(fields) if key.startswith("msgstr"))
            entries.append(Entry(Text(fields["msgid"], fields.get("msgid_plural")), forms))
    return entries


def compiled(entries: list[Entry]) -> bytes:
    """Return the bytes of a `.mo` file."""

    def strings() -> Iterator[tuple[bytes, bytes]]:
        for text, forms in entries:
            key = text.one if text.many is None else f"{text.one}\0{text.many}"
            yield key.encode(), "\0".join(forms).encode()

    pairs = sorted(strings())
    count = len(pairs)
    keys_at, values_at = 28, 28 + 8 * count
    place = 28 + 16 * count
    tables, data = [], b""
    for column in (0, 1):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[column]), place + len(data)))
            data += pair[column] + b"\0"
    header = struct.pack("<7I", 0x950412DE, 0, count, keys_at, values_at, 0, 0)
    return header + b"".join(tables) + data


def main() -> None:
    wanted = texts_of_code()
    for language in TRANSLATED:
        entries = read(language)
        there = {entry.text for entry in entries if entry.text.one}
        for text in sorted(wanted - there):
            print(f"{language} lacks {text!r}")
        for text in sorted(there - wanted):
            print(f"{language} has for nothing {text!r}")
        catalog(language, "mo").write_bytes(compiled(entries))


if __name__ == "__main__":
    main()
