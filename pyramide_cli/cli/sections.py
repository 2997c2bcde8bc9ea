"""Help in sections: the options of a command first, then those that many commands share or that few people need."""

from __future__ import annotations

import click


class RulesOption(click.Option):
    """An option about the rules of the game."""

    section = "Rules"


class SurveyOption(click.Option):
    """An option that belongs to a survey."""

    section = "Surveys"


class SectionedCommand(click.Command):
    """A command whose help lists each section of options under its own heading."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and after them the sections in the order in which their first options come."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            told = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if told is not None:
                sections.setdefault(getattr(parameter, "section", "Options"), []).append(told)
        for name, options in sections.items():
            with formatter.section(self.spoken(name)):
                formatter.write_dl([(option, self.spoken(text)) for option, text in options])

    def spoken(self, text: str) -> str:
        """Return a text of the options as the help shows it."""
        return text
