"""Help in the player's language.

The texts are those of the command and its options, translated when they are shown; an English text is the key.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from pyramide_cli.cli.options import use_language
from pyramide_cli.cli.sections import SectionedCommand
from pyramide_cli.messages import gettext as _
from pyramide_cli.messages import gettext as translated


class SpokenCommand(SectionedCommand):
    """A command with `language_option`, whose help speaks that language, wherever `--lang` stands beside `--help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the language before the options are taken one by one, because `--help` ends with the first it meets."""
        try:
            values, _rest, _order = self.make_parser(ctx).parse_args(list(args))
        except click.UsageError:
            values = {}  # for the real parse to tell
        use_language(values.get("lang"))
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage line."""
        pieces = self.collect_usage_pieces(ctx)
        formatter.write_usage(ctx.command_path, " ".join(pieces), prefix=f"{_('Usage:')} ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, paragraph by paragraph."""
        text = "\n\n".join(map(translated, paragraphs(self.help or "")))
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(text)

    def spoken(self, text: str) -> str:
        """Return a text of the options in the language in use."""
        return translated(text)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text: as one line each, but for those that click is told to leave as they are."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield paragraph if paragraph.startswith("\b") else " ".join(paragraph.split())


def help_texts(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield every text that the help of a command translates; the catalogs must have each."""
    yield from paragraphs(command.help or "")
    for parameter in command.get_params(context):
        told = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if told is not None:
            yield told[1]
            yield getattr(parameter, "section", "Options")
