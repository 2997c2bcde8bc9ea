"""`pyramide solve`: deals in, solutions out, in the order of the input."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from pyramide_cli.batches import (
    Asked,
    CodeBatch,
    Form,
    Lines,
    Question,
    answers,
    open_questions,
    records,
    single_questions,
)
from pyramide_cli.cli.exits import FileFailure, Status, complain, say
from pyramide_cli.cli.inputs import LocatedDeal, count_deals, deals_or_stdin, keep_apart, read_deal_batches
from pyramide_cli.cli.options import (
    ANY_PATH,
    MAX_JOBS,
    Number,
    ParameterType,
    RulesChoice,
    chosen_format,
    format_option,
    output_option,
    progress_option,
    rules_options,
    strict_option,
)
from pyramide_cli.cli.outputs import Output, is_stdout
from pyramide_cli.cli.progress import Progress
from pyramide_cli.cli.resumable import ResumableOutput, open_batch_output
from pyramide_cli.cli.sections import SectionedCommand
from pyramide_cli.cli.solve.wording import Tally, solution_text
from pyramide_cli.messages import counted
from pyramide_cli.pools import Pool, Threads
from pyramide_cli.records import STDIN, Problem
from pyramide_cli.resume import skip_done
from pyramide_cli.solver.question import MAX_STATES

MOST_STATES = 10**12
_QUESTIONS = "shortest, any, most, score or rank=R"


class Find(ParameterType):
    """What to look for in each deal."""

    name = "what"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Show what can be given."""
        return "shortest|any|most|score|rank=R"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the question as records write it."""
        text = str(value).strip()
        if text.lower() in ("shortest", "any", "most", "score"):
            return text.lower()
        match = re.fullmatch(r"rank=(A|[2-9]|10|[TJQK])", text, re.IGNORECASE)
        if match:
            return f"rank={match[1].upper().replace('10', 'T')}"
        raise click.BadParameter(f"{text!r} is none of {_QUESTIONS} (R is one of A23456789TJQK).", ctx, param)


@click.command(cls=SectionedCommand)
@click.argument("deals", nargs=-1, metavar="[DEAL]...", type=ANY_PATH)
@click.option("--find", type=Find(), default="shortest", help="What to look for.  [default: shortest]")
@click.option(
    "--jobs",
    type=Number(1, MAX_JOBS),
    help="How many deals to solve side by side. Default: all cores.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Solve on a Dask cluster, given by its scheduler's address or scheduler file; needs the extra dask.",
)
@click.option(
    "--max-states",
    type=Number(1, MOST_STATES),
    default=MAX_STATES,
    help=f"Give a deal up as undecided after so many positions.  [default: {MAX_STATES:,}]",
)
@click.option("--brief", is_flag=True, help="Write the short record: deal, rules, question, verdict, length.")
@click.option("--no-timing", is_flag=True, help="Leave the time out: the same deals give the same bytes.")
@click.option("--resume", is_flag=True, help="Go on with FILE.partial of -o FILE where a run was stopped.")
@click.option(
    "--retry-undecided",
    type=ANY_PATH,
    metavar="FILE",
    help="Take up again what the solutions in FILE left undecided, with their rules and questions.",
)
@click.option("--exit-code", is_flag=True, help="End with 1 if a deal is unwinnable, with 4 if one is undecided.")
@format_option(("jsonl", "text"))
@output_option
@progress_option
@strict_option
@rules_options
@click.pass_context
def solve(
    context: click.Context,
    deals: tuple[str, ...],
    find: str,
    jobs: int | None,
    dask: str | None,
    max_states: int,
    brief: bool,
    no_timing: bool,
    resume: bool,
    retry_undecided: str | None,
    exit_code: bool,
    output_format: str,
    output: str | None,
    progress: bool | None,
    strict: bool,
    rules: RulesChoice,
) -> int:
    """Solve deals: winnable or not, and in how few moves.

    A DEAL is a code, a number, 52 cards in one argument, a file of deals or records, one a line, or - for stdin,
    which is read where no DEAL is given. The solutions come in the order of the deals.

    \b
    Examples:
      pyramide solve PY1-N-AAAAAAS
      pyramide deal --count 1000 | pyramide solve -o solutions.jsonl --resume
      pyramide solve --rules microsoft --find score deals.txt
    """  # noqa: D301 - click reads the \b
    form = Form(brief=brief, timing=not no_timing)
    style = chosen_format(output_format, output)
    if find == "score" and rules.is_given and rules.over(None).scoring == "none":
        raise click.UsageError("these rules have no score: choose --scoring, or another --find.")
    if dask is not None and jobs is not None:
        raise click.UsageError("--jobs is about this machine: the workers of --dask bring their own threads.")
    _check(context, deals, resume=resume, retry=retry_undecided, output=output, style=style)
    status = Status(strict=strict)
    asked: Iterator[Asked]
    if retry_undecided is not None:
        arguments: tuple[str, ...] = (retry_undecided,)
        asked = open_questions(retry_undecided, status.report)
    else:
        arguments = tuple(deals_or_stdin(context, deals))
        asked = _questions(arguments, rules, find, status)
    keep_apart(arguments, output)
    tally = Tally()
    with _pool(jobs, dask, arguments) as pool, open_batch_output(output, resume=resume) as out:
        if isinstance(out, ResumableOutput) and out.left is not None:
            asked = _go_on(out, asked, form, tally)
        with Progress("solve", _total(arguments, retry_undecided, progress), show=progress) as bar:
            bar.advance(tally.done)
            started = time.monotonic()
            try:
                for lines in _answers(asked, style, form, out, pool, max_states=max_states):
                    tally.count(lines.verdicts)  # first: what a file shows when a signal comes has been counted
                    out.write(lines.text)
                    out.flush()
                    bar.advance(sum(lines.verdicts.values()), wins=tally.verdicts["winnable"])
            except KeyboardInterrupt:
                complain(f"stopped after {counted(tally.done, 'deal')}")
                raise
            if bar.shown and tally.done > 1:
                say(tally.text(time.monotonic() - started))
    if exit_code:
        status.note(tally.exit_code)
    return status.code


def _check(
    context: click.Context,
    deals: tuple[str, ...],
    *,
    resume: bool,
    retry: str | None,
    output: str | None,
    style: str,
) -> None:
    """Raise `click.UsageError` for options that contradict each other."""
    if resume and is_stdout(output):
        raise click.UsageError("--resume needs -o FILE: the file that a stopped run has left.")
    if resume and style != "jsonl":
        raise click.UsageError("--resume goes with --format jsonl.")
    if retry is None:
        return
    if deals:
        raise click.UsageError("--retry-undecided takes its deals from its file: name no DEAL.")
    given = [
        f"--{name}"
        for name in ("find", "rules")
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    ]
    if given:
        raise click.UsageError(f"--retry-undecided asks the questions of its file again: leave out {given[0]}.")
    if output is not None and Path(output).exists() and Path(retry).exists() and Path(output).samefile(retry):
        raise click.UsageError("-o is the file of --retry-undecided: its decided solutions would be lost.")


def _questions(arguments: tuple[str, ...], rules: RulesChoice, find: str, status: Status) -> Iterator[Asked]:
    """Read the deals and ask the question about each, under the rules of the command line or of its record."""
    default = rules.over(None)
    for item in read_deal_batches(arguments, status.report):
        if not isinstance(item, LocatedDeal):
            yield CodeBatch(item, default, find)
            continue
        made_under = rules.over(item.rules)
        if find == "score" and made_under.scoring == "none":
            status.report(Problem(item.file, item.line, f"the rules {made_under} have no score to find"))
        else:
            yield Question(item.deal, made_under, find)


def _are_typed(arguments: tuple[str, ...]) -> bool:
    """Whether somebody types the deals, who wants each answer before the next deal."""
    return STDIN in arguments and sys.stdin is not None and sys.stdin.isatty()


@contextmanager
def _pool(jobs: int | None, address: str | None, arguments: tuple[str, ...]) -> Iterator[Pool]:
    """Return where the work is done: on the cores of this machine, or on a cluster."""
    if address is None:
        with Threads(jobs or (1 if _are_typed(arguments) else None)) as pool:
            yield pool
        return
    from pyramide_cli.cluster import AddressError, Cluster, ClusterError
    from pyramide_cli.reports.extras import MissingExtra, need

    try:
        need("distributed", extra="dask", what="Dask clusters")
        with Cluster(address) as cluster:
            if not cluster.threads:
                complain(f"{address} has no workers yet: waiting for them")
            yield cluster
    except (MissingExtra, AddressError) as error:
        raise click.UsageError(f"{error}.") from None
    except ClusterError as error:
        raise FileFailure(str(error)) from None


def _answers(
    asked: Iterator[Asked], style: str, form: Form, out: Output, pool: Pool, *, max_states: int
) -> Iterator[Lines]:
    """Answer the questions as records, or as text for people."""
    if style == "jsonl":
        yield from records(asked, form, pool, max_states=max_states)
        return
    for solution in answers(single_questions(asked), pool, max_states=max_states):
        yield Lines(solution_text(solution, form, out).encode(out.encoding, "replace"), {solution.verdict: 1})


def _go_on(out: ResumableOutput, asked: Iterator[Asked], form: Form, tally: Tally) -> Iterator[Asked]:
    """Hold what an earlier run has left against the questions, and return the questions that are still open."""
    assert out.left is not None
    done, asked = skip_done(out.left, asked, form)
    tally.count(done.verdicts)
    if out.is_finished:
        first = next(asked, None)
        if first is not None:
            raise FileFailure(
                f"{out.name} is finished, with {counted(done.count, 'deal')}, but the input goes on: "
                "write to another file"
            )
        complain(f"{out.name} is finished already; nothing is left to do")
    else:
        out.keep(done.size)
        complain(f"going on after {counted(done.count, 'deal')}")
    return asked


def _total(arguments: tuple[str, ...], retry: str | None, progress: bool | None) -> int | None:
    """Return how many deals there are, where a bar will show it and it can be told."""
    if retry is not None or progress is False:
        return None
    return count_deals(arguments)
