"""The options that commands share: rules, format, output, colour, progress, strictness."""

from __future__ import annotations

import functools
import os
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pyramide_cli import messages
from pyramide_cli.cli.sections import RulesOption
from pyramide_cli.rules import (
    ALIASES,
    AXES,
    DEFAULT_RULES,
    GOALS,
    MAX_PASSES,
    RULES,
    SCORINGS,
    STUCKS,
    UNLIMITED,
    Rules,
    RulesError,
    axis_text,
    find_rules,
)

# No number that an option takes has more.
_DIGITS = 20

MAX_JOBS = 1_024
"""How many things a command does side by side at most."""

# Only for the shell's completion of file names: what cannot be read or written is told by whoever tries.
ANY_PATH = click.Path(readable=False, allow_dash=True)

if TYPE_CHECKING:
    ParameterType = click.ParamType[Any]
else:
    ParameterType = click.ParamType  # which takes no type before click 8.4

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class RulesChoice:
    """What the command line says about the rules: a preset or none, and the axes that were given.

    >>> RulesChoice().over(None).name
    'pyramide'
    """

    preset: Rules | None = None
    axes: dict[str, Any] = field(default_factory=dict)

    @property
    def is_given(self) -> bool:
        """Whether the command line said anything."""
        return self.preset is not None or bool(self.axes)

    def over(self, base: Rules | None) -> Rules:
        """Return the rules to use for a deal or game made under `base`, None where that is not known.

        A preset replaces them all; an axis alone replaces only that axis; what nobody said is the default. Raises
        `RulesError` for axes that do not go together.
        """
        rules = self.preset or base or DEFAULT_RULES
        return rules.replace(**self.axes) if self.axes else rules


class Number(ParameterType):
    """A whole number in a range, such as 20000 or 20_000 or 20,000; or the word unlimited, where that is allowed."""

    name = "number"

    def __init__(self, least: int, most: int, *, unlimited: bool = False) -> None:
        self.least = least
        self.most = most
        self.unlimited = unlimited

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Show what can be given."""
        return f"N|{UNLIMITED}" if self.unlimited else "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or the word."""
        if isinstance(value, int):
            return value
        text = str(value).strip().lower()
        if self.unlimited and text == UNLIMITED:
            return UNLIMITED
        digits = text.replace("_", "").replace(",", "")
        if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS and self.least <= int(digits) <= self.most:
            return int(digits)
        or_else = f", nor the word {UNLIMITED}" if self.unlimited else ""
        message = f"{value!r} is not a number from {self.least:,} to {self.most:,}{or_else}."
        raise click.BadParameter(message, ctx, param)


def one_of(names: Iterable[str]) -> click.Choice[str]:
    """Return the type of an option that takes one of these names, in upper or lower case."""
    return click.Choice(list(names), case_sensitive=False)


def rules_options(command: Command) -> Command:
    """Add `--rules` and an option for each axis; the command gets one argument `rules`, a `RulesChoice`."""

    @functools.wraps(command)
    def with_rules(*args: Any, **values: Any) -> Any:
        axes = {axis: values.pop(axis) for axis in AXES}
        given = {axis: None if value == UNLIMITED else value for axis, value in axes.items() if value is not None}
        choice = RulesChoice(values.pop("rules"), given)
        try:
            choice.over(None)
        except RulesError as error:
            raise click.UsageError(f"{error}.") from None
        return command(*args, rules=choice, **values)

    wrapped: Any = with_rules
    for option in reversed(_RULES_OPTIONS):
        wrapped = option(wrapped)
    return wrapped  # type: ignore[no-any-return]


def _complete_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in (*RULES, *ALIASES, "list") if name.startswith(incomplete)]


def _find_rules(ctx: click.Context, param: click.Parameter, value: str | None) -> Rules | None:
    if value is None:
        return None
    if value.strip().lower() == "list":
        click.echo(rules_text())
        ctx.exit()
    try:
        return find_rules(value)
    except RulesError as error:
        raise click.BadParameter(f"{error}; --rules list tells them all.", ctx, param) from None


def rules_text() -> str:
    """Return every preset with all its axes, for people."""
    lines = []
    for name, rules in RULES.items():
        others = [alias for alias, preset in ALIASES.items() if preset == name]
        notes = (["the default"] if rules is DEFAULT_RULES else []) + ([f"also {', '.join(others)}"] if others else [])
        lines.append(name + (f" ({'; '.join(notes)})" if notes else ""))
        axes = ", ".join(f"{axis} {axis_text(value)}" for axis, value in rules.axes().items())
        lines += textwrap.wrap(axes, 78, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def _switch(axis: str, help_text: str) -> Callable[[Any], Any]:
    option = axis.replace("_", "-")
    return click.option(f"--{option}/--no-{option}", axis, default=None, help=help_text, cls=RulesOption)


_RULES_OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.option(
        "--rules",
        metavar="NAME",
        callback=_find_rules,
        is_eager=True,
        shell_complete=_complete_rules,
        help="The rules to use; 'list' prints all of them and ends. Default: those of the record, else pyramide.",
        cls=RulesOption,
    ),
    click.option("--goal", type=one_of(GOALS), help="What wins: the pyramid gone, or all 52 cards.", cls=RulesOption),
    click.option(
        "--passes", type=Number(1, MAX_PASSES, unlimited=True), help="Passes through the stock.", cls=RulesOption
    ),
    _switch("deal_waste", "Whether one card is turned onto the waste at the start."),
    _switch("stock_open", "Whether the top of the stock lies face up and is in play."),
    _switch("drawn_pair", "Whether a card just drawn may pair with the waste card that it covers."),
    _switch("cover_pair", "Whether a card may pair with the only card that still covers it."),
    click.option(
        "--undo-limit",
        type=Number(0, MAX_PASSES, unlimited=True),
        help="How many actions can be undone.",
        cls=RulesOption,
    ),
    _switch("undo_counts", "Whether an undo adds a move."),
    click.option("--scoring", type=one_of(SCORINGS), help="How points are counted.", cls=RulesOption),
    click.option(
        "--stuck",
        type=one_of(STUCKS),
        help="When the game says that it is over: by rule, or by proof.",
        cls=RulesOption,
    ),
)


def format_option(choices: Iterable[str], *, help_text: str | None = None) -> Callable[[Command], Command]:
    """Add `--format` with `auto` and these choices."""
    return click.option(
        "--format",
        "output_format",
        type=one_of(["auto", *choices]),
        default="auto",
        help=help_text or "How to write. auto: text at a terminal, jsonl elsewhere and with -o.  [default: auto]",
    )


def chosen_format(output_format: str, path: str | None) -> str:
    """Return the format that `auto` stands for: text where a person reads, jsonl elsewhere."""
    from pyramide_cli.cli.outputs import at_terminal

    if output_format != "auto":
        return output_format
    return "text" if at_terminal(path) else "jsonl"


def use_language(name: str | None) -> None:
    """Speak the language that is named, or that of the environment for None; an unknown name is passed over."""
    code = None if name is None else name.lower()
    if code is None or code in messages.LANGUAGES:
        messages.use(code or messages.language_of(os.environ))


def _use_language(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    use_language(value)


language_option = click.option(
    "--lang",
    type=one_of(messages.LANGUAGES),
    is_eager=True,
    expose_value=False,
    callback=_use_language,
    help="The language to speak. Default: that of LC_ALL, LC_MESSAGES or LANG.",
)
output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=ANY_PATH,
    help="Write to FILE, which is whole or not there; a .gz name is compressed.",
)
color_option = click.option(
    "--color",
    type=one_of(["auto", "always", "never"]),
    default="auto",
    help="Colour in text. auto: at a terminal, if NO_COLOR is not set.  [default: auto]",
)
progress_option = click.option(
    "--progress/--no-progress",
    default=None,
    help="Whether to show progress on stderr. Default: if that is a terminal.",
)
strict_option = click.option("--strict", is_flag=True, help="Stop at the first bad line of an input.")
