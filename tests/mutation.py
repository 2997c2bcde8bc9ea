"""Mutation testing: faults put into a module one at a time, to see whether its tests notice.

`python -m tests.mutation game --sample 100` changes a hundred places of the engine. Each mutant runs in a process of
its own that is forked when the heavy packages are loaded, on the tests of the module, until one fails. What no test
notices is printed with its place. A mutant may also be harmless: `tests/mutants.py` says of which and why, and they
are counted, but not run.
"""

from __future__ import annotations

import argparse
import ast
import importlib.abc
import importlib.machinery
import importlib.util
import math
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from tests.mutants import EXPLAINED

ROOT = Path(__file__).parent.parent
PATIENCE = 300
MEMORY = 6 << 30


class Target(NamedTuple):
    """A module, the tests that should notice its faults, and whether its kernels stay uncompiled."""

    module: str
    tests: tuple[str, ...]
    uncompiled: bool = False


_ENGINE = ("tests/test_game.py", "tests/test_game_properties.py", "tests/test_against_reference.py")
_RECORDS = ("tests/test_records.py", "tests/test_records_reading.py", "tests/fuzz/test_readers.py")
_BOUNDS = ("tests/test_solver_bounds.py",)
TARGETS = {
    "cards": Target("pyramide_cli.cards", ("tests/test_cards.py", "tests/test_deals.py", *_ENGINE)),
    "pyramid": Target("pyramide_cli.pyramid", ("tests/test_pyramid.py", *_ENGINE)),
    "deals": Target("pyramide_cli.deals", ("tests/test_deals.py", "tests/test_game.py")),
    "rules": Target("pyramide_cli.rules", ("tests/test_rules.py", *_ENGINE)),
    "moves": Target("pyramide_cli.moves", ("tests/test_moves.py", *_ENGINE)),
    "illegal": Target("pyramide_cli.illegal", _ENGINE),
    "scoring": Target("pyramide_cli.scoring", _ENGINE),
    "game": Target("pyramide_cli.game", _ENGINE),
    "content": Target("pyramide_cli.records.content", _RECORDS),
    "lines": Target("pyramide_cli.records.lines", _RECORDS),
    "reading": Target("pyramide_cli.records.reading", _RECORDS),
    "writing": Target("pyramide_cli.records.writing", _RECORDS),
    "replay": Target("pyramide_cli.replay", ("tests/test_replay.py", "tests/fuzz/test_readers.py")),
    "balance": Target("pyramide_cli.solver.balance", ("tests/test_balance.py",)),
    "tables": Target("pyramide_cli.solver.tables", _BOUNDS, uncompiled=True),
    "passes": Target("pyramide_cli.solver.passes", ("tests/test_solver_passes.py", *_BOUNDS), uncompiled=True),
    "bounds": Target("pyramide_cli.solver.bounds", (*_BOUNDS, "tests/test_solver_points.py"), uncompiled=True),
    "points": Target("pyramide_cli.solver.points", ("tests/test_solver_points.py",), uncompiled=True),
    "rests": Target("pyramide_cli.solver.rests", ("tests/test_solver_rests.py",), uncompiled=True),
    "values": Target("pyramide_cli.solver.values", ("tests/test_solver_values.py",), uncompiled=True),
}

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}


class Fault(NamedTuple):
    """A change of a module: where, and how `tests/mutants.py` names it."""

    line: int
    name: tuple[str, str]


class Mutator(ast.NodeTransformer):
    """Changes one place of a module, counted from 0; without a place it only finds them.

    places: for each the line and the change, in order.
    """

    def __init__(self, place: int | None = None) -> None:
        self.place = place
        self.places: list[tuple[int, str]] = []

    def _is_here(self, node: ast.AST, what: str) -> bool:
        self.places.append((getattr(node, "lineno", 0), what))
        return len(self.places) - 1 == self.place

    def _swap(self, node: ast.AST, operator: ast.AST) -> ast.AST:
        other = _OTHER.get(type(operator))
        if other is not None and self._is_here(node, f"{type(operator).__name__} -> {other.__name__}"):
            return other()
        return operator

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.ops = [self._swap(node, operator) for operator in node.ops]  # type: ignore[misc]
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.op = self._swap(node, node.op)  # type: ignore[assignment]
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        node.op = self._swap(node, node.op)  # type: ignore[assignment]
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        node.op = self._swap(node, node.op)  # type: ignore[assignment]
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        sign = {ast.Not: "not ", ast.USub: "-", ast.Invert: "~"}.get(type(node.op))
        if sign is not None and self._is_here(node, f"{sign}x -> x"):
            return self.generic_visit(node).operand  # type: ignore[attr-defined, no-any-return]
        return self.generic_visit(node)

    def _condition(self, test: ast.expr) -> ast.expr:
        if isinstance(test, ast.Name | ast.Attribute | ast.Call) and self._is_here(test, "if x -> if not x"):
            return ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
        return test

    def visit_If(self, node: ast.If) -> ast.AST:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node
        node.test = self._condition(node.test)
        return self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._condition(node.test)
        return self.generic_visit(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._condition(node.test)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.ifs = [self._condition(test) for test in node.ifs]
        return self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> ast.AST:
        return ast.copy_location(ast.Continue(), node) if self._is_here(node, "break -> continue") else node

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        return ast.copy_location(ast.Break(), node) if self._is_here(node, "continue -> break") else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, bool):
            if self._is_here(node, f"{node.value} -> {not node.value}"):
                return ast.copy_location(ast.Constant(not node.value), node)
        elif isinstance(node.value, int) and self._is_here(node, f"{node.value} -> {node.value + 1}"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node


def path_of(target: Target) -> Path:
    """Return the file of a module."""
    return ROOT.joinpath(*target.module.split(".")).with_suffix(".py")


def faults_of(source: str) -> list[Fault]:
    """Return every change that can be made to a module, in the order of the mutator's places."""
    finder = Mutator()
    finder.visit(ast.parse(source))
    lines = source.splitlines()
    faults = []
    seen: Counter[tuple[str, str]] = Counter()
    for number, what in finder.places:
        line = lines[number - 1].strip()
        if line in ("break", "continue"):
            line = f"{lines[number - 2].strip()} {line}"
        seen[line, what] += 1
        repeated = seen[line, what]
        faults.append(Fault(number, (line, what + (f" #{repeated}" if repeated > 1 else ""))))
    return faults


class _Mutant(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed tree."""

    def __init__(self, module: str, path: Path, tree: ast.Module) -> None:
        self._module, self._path, self._tree = module, path, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._module:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._tree, str(self._path), "exec"), module.__dict__)


def _survives(target: Target, path: Path, tree: ast.Module, patience: int = PATIENCE) -> bool:
    """Run the tests on a mutant in a process of its own; one that takes too long or too much memory is noticed.

    patience: in seconds of the processor, so that other work on the machine makes no difference.
    """
    child = os.fork()
    if not child:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (patience, patience))
        code = 1
        try:
            import pytest

            sys.meta_path.insert(0, _Mutant(target.module, path, tree))
            quiet = ("-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
            code = int(pytest.main([*quiet, *target.tests]))
        finally:
            os._exit(0 if code == 0 else 1)
    end = time.monotonic() + 10 * patience  # for one that waits for ever
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description="Put faults into a module, and see whether its tests notice.")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--sample", type=int, help="how many places to change; all when not said")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, nargs="*", help="change these lines only")
    options = parser.parse_args()
    target = TARGETS[options.target]
    os.environ["CI"] = "true"  # hypothesis then draws the same examples for each mutant
    if target.uncompiled:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    # What every mutant needs, and no mutant changes.
    for name in ("hypothesis", "jsonschema", "msgspec", "numba", "numpy", "pytest"):
        importlib.import_module(name)
    path = path_of(target)
    source = path.read_text(encoding="utf-8")
    faults = faults_of(source)
    numbers = list(range(len(faults)))
    if options.sample is not None and options.sample < len(numbers):
        numbers = sorted(random.Random(options.seed).sample(numbers, options.sample))
    if options.lines is not None:
        numbers = [number for number in numbers if faults[number].line in options.lines]
    if not _survives(target, path, ast.parse(source)):
        sys.exit("the tests fail without any fault")
    patience = 5 + 3 * math.ceil(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)
    explained = survivors = 0
    for number in numbers:
        fault = faults[number]
        if fault.name in EXPLAINED.get(options.target, {}):
            explained += 1
        elif _survives(target, path, ast.fix_missing_locations(Mutator(number).visit(ast.parse(source))), patience):
            survivors += 1
            print(f"  {fault.line}: {fault.name}", flush=True)
    print(
        f"{options.target}: {len(numbers)} of {len(faults)} places changed, {explained} explained, "
        f"{survivors} not noticed"
    )


if __name__ == "__main__":
    main()
