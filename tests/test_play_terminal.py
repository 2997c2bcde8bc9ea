"""Playing at a real pseudo-terminal: whole games, interrupted in every way, and gone on with."""

from __future__ import annotations

import errno
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from pyramide_cli.cli.play.guide import has_rich_prompt, help_text
from pyramide_cli.deals import Deal
from pyramide_cli.players import play_out
from pyramide_cli.records import MoveRecord, encode

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

ROOT = Path(__file__).parent.parent
PATIENCE = 30.0
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])|\r|\x08")


class Terminal:
    """The program at a terminal of its own: what it shows can be waited for, and keys can be typed."""

    def __init__(
        self,
        *arguments: str | Path,
        columns: int = 80,
        term: str = "xterm-256color",
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.master, slave = pty.openpty()
        self.resize(columns)
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "NO_COLOR"))
        }
        environment |= {"TERM": term, "LC_ALL": "C.UTF-8", "PROMPT_TOOLKIT_NO_CPR": "1"} | dict(variables or {})
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pyramide_cli", "play", *map(str, arguments)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.raw = b""
        self._seen = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self.hang_up()

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))

    @property
    def text(self) -> str:
        return _ESCAPES.sub("", self.raw.decode(errors="replace"))

    def _read(self, seconds: float) -> bool:
        """Read what there is; False when the program has closed the terminal."""
        if select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                return False
            self.raw += data
            return bool(data)
        return True

    def expect(self, wanted: str) -> None:
        """Wait until a text has been shown after the last one that was waited for."""
        end = time.monotonic() + PATIENCE
        while True:
            at = self.text.find(wanted, self._seen)
            if at >= 0:
                self._seen = at + len(wanted)
                return
            open_still = self._read(0.2)
            if time.monotonic() > end or not (open_still or wanted in self.text[self._seen :]):
                raise AssertionError(f"{wanted!r} did not come: {self.text[-3000:]}")

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def enter(self, line: str, wanted: str) -> None:
        """Type a line and wait for what comes of it."""
        self.expect(">")
        self.type(line + "\r")
        self.expect(wanted)

    def hang_up(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1

    def end(self) -> int:
        """Wait for the end of the program and return its exit code."""
        stop = time.monotonic() + PATIENCE
        while self.master >= 0 and self._read(0.1) and time.monotonic() < stop:
            pass
        return self.process.wait(PATIENCE)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


def records(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def verified(log: Path) -> list[dict[str, Any]]:
    run = subprocess.run(
        [sys.executable, "-m", "pyramide_cli", "replay", str(log)], capture_output=True, cwd=ROOT, check=False
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def winning_lines() -> Iterator[str]:
    """Yield what a person types to win deal 0: removals as cards with suits, all else by letters."""
    for record in play_out(Deal.from_number(0), player="first", seed=1):
        if isinstance(record, MoveRecord):
            yield {"draw": "d", "recycle": "r"}.get(record.move) or record.move.replace("+", " ").replace("T", "10")


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_whole_game_played_interrupted_and_gone_on_with(log: Path, term: str) -> None:
    if term != "dumb":
        pytest.importorskip("prompt_toolkit", reason="the extra play is not installed")
    lines = list(winning_lines())
    with Terminal("0", "--log", log, term=term) as terminal:
        terminal.expect("PY1-N-AAAAAAA")
        for number, line in enumerate(lines[:20], 1):
            terminal.enter(line, f"undo {number}")
        terminal.expect(">")
        terminal.type("\x03")
        assert terminal.end() == 130
        assert "go on with it by: pyramide play --log" in terminal.text
        assert "Traceback" not in terminal.text
    assert len(records(log)) == 21
    with Terminal("--log", log, "--resume", term=term) as terminal:
        terminal.expect("moves 20")
        terminal.expect("can undo 20")
        terminal.enter("u", "can undo 19")
        terminal.enter(lines[19], "can undo 20")
        for number, line in enumerate(lines[20:-1], 21):
            terminal.enter(line, f"undo {number}")
        terminal.enter(lines[-1], "You have won!")
        terminal.expect("Result: score 280, time 0:")
        terminal.expect(">")
        time.sleep(0.3)
        terminal.type("q\r")
        assert terminal.end() == 0
    [game] = verified(log)
    assert (game["outcome"], game["score"], game["moves"], game["undos"]) == ("won", 280, len(lines) + 1, 1)
    assert game["t"] == records(log)[-2]["t"], "the clock stands still once the game is over"


def test_closing_the_input_leaves_the_game_open(log: Path) -> None:
    with Terminal("18", "--log", log) as terminal:
        terminal.enter("k", "foundation 1")
        terminal.expect(">")
        terminal.type("\x04")
        assert terminal.end() == 0
    [game] = verified(log)
    assert (game["outcome"], game["moves"]) == ("open", 1)


def test_a_terminal_that_hangs_up_loses_nothing(log: Path) -> None:
    with Terminal("18", "--log", log) as terminal:
        terminal.enter("k", "foundation 1")
        terminal.enter("10c 3s", "foundation 3")
        terminal.hang_up()
        assert terminal.process.wait(PATIENCE) in (128 + signal.SIGHUP, 5, 0)
    [game] = verified(log)
    assert (game["outcome"], game["moves"], game["score"]) == ("open", 2, 30)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_loses_nothing(log: Path, number: signal.Signals) -> None:
    with Terminal("18", "--log", log) as terminal:
        terminal.enter("k", "foundation 1")
        terminal.expect(">")
        terminal.process.send_signal(number)
        code = terminal.end()
        assert code == (-number if number == signal.SIGKILL else 128 + number)
        assert "Traceback" not in terminal.text
    [game] = verified(log)
    assert (game["outcome"], game["moves"]) == ("open", 1)


def test_ctrl_c_while_the_solver_thinks_or_not_ends_with_130(log: Path) -> None:
    with Terminal("18") as terminal:
        terminal.expect(">")
        terminal.type("\x03")
        assert terminal.end() == 130


def test_the_prompt_shows_the_selected_card_and_completes_moves() -> None:
    pytest.importorskip("prompt_toolkit", reason="the extra play is not installed")
    with Terminal("18") as terminal:
        terminal.enter("10c", "10♣ is selected.")
        terminal.expect("10♣ >")
        terminal.type("3s\r")
        terminal.expect("foundation 2")
        terminal.expect(">")
        terminal.type("rec\t")
        terminal.expect("recycle")
        terminal.type("\r")
        terminal.expect("You can recycle only when the stock is empty.")
        terminal.enter("q", "Result")
        assert terminal.end() == 0


def test_without_the_extra_lines_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "prompt_toolkit.py").write_text("raise ImportError\n")
    with Terminal("18", term="xterm", variables={"PYTHONPATH": str(tmp_path)}) as terminal:
        terminal.enter("k", "foundation 1")
        terminal.enter("q", "Result")
        assert terminal.end() == 0


def test_help_names_the_extra_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("pyramide-cli[play]" in help_text()) == (not has_rich_prompt())
    monkeypatch.setattr("pyramide_cli.cli.play.guide.find_spec", lambda name: None)
    assert "pip install 'pyramide-cli[play]'" in help_text()


def test_bytes_that_are_no_text_are_no_word() -> None:
    for term in ("dumb", "xterm"):
        with Terminal("18", term=term) as terminal:
            terminal.expect(">")
            os.write(terminal.master, b"\xff\xfe\r")
            terminal.expect("is no card and no command")
            terminal.enter("k", "foundation 1")


def test_the_codes_of_a_pasted_text_are_no_mouse() -> None:
    pytest.importorskip("prompt_toolkit", reason="the extra play is not installed")
    with Terminal("18", term="xterm") as terminal:
        terminal.expect(">")
        os.write(terminal.master, b"\x1b[31m\x1b[5M")
        terminal.type("k\r")
        terminal.expect("foundation 1")
        assert "Traceback" not in terminal.text


def test_names_out_of_a_log_do_not_reach_the_terminal_as_they_are(tmp_path: Path) -> None:
    log = tmp_path / "\x1b]0;name\x07.jsonl"
    lines = [json.loads(encode(record)) for record in play_out(Deal.from_number(18), player="first", seed=1)][:3]
    log.write_text("".join(json.dumps(line | {"game": "\x1b]0;id\x07\u202e"}) + "\n" for line in lines))
    with Terminal("--log", log, "--resume", term="dumb") as terminal:
        terminal.enter("log", r"this is game \x1b]0;id\x07\u202e.")
        terminal.expect(">")
        terminal.type("\x04")
        terminal.expect(r"\x1b]0;name\x07.jsonl' --resume")
        assert terminal.end() == 0
    assert b"\x07" not in terminal.raw


def test_earlier_lines_come_back() -> None:
    pytest.importorskip("prompt_toolkit", reason="the extra play is not installed")
    with Terminal("18") as terminal:
        terminal.enter("d", "stock 22")
        terminal.expect(">")
        terminal.type("\x1b[A\r")
        terminal.expect("stock 21")
        terminal.enter("q", "Result")
        assert terminal.end() == 0


def test_narrow_terminals_and_terminals_that_shrink() -> None:
    with Terminal("18", columns=40, term="dumb") as terminal:
        terminal.expect("T♣")
        terminal.expect(">")
        shown = terminal.text.splitlines()
        assert max(map(len, shown)) <= 40
        terminal.resize(30)
        terminal.type("d\r")
        terminal.expect("stock 22")
        terminal.expect(">")
        terminal.type("fish\r")
        terminal.expect("can type")
        terminal.type("?\r")
        terminal.expect("end the game")
        terminal.expect(">")
        # The prompt is drawn over itself when the terminal changes.
        after = [line for line in terminal.text.splitlines()[len(shown) :] if not line.startswith(">")]
        assert max(map(len, after)) <= 30


def test_colour_is_there_at_a_terminal_and_can_be_switched_off() -> None:
    with Terminal("18", term="xterm") as terminal:
        terminal.expect(">")
        assert b"32m" in terminal.raw
    cases: list[tuple[str, dict[str, str]]] = [("xterm", {"NO_COLOR": "1"}), ("dumb", {})]
    for term, more in cases:
        with Terminal("18", term=term, variables=more) as terminal:
            terminal.expect(">")
            assert b"32m" not in terminal.raw


def test_letters_stand_for_suits_where_the_encoding_lacks_them() -> None:
    with Terminal("18", term="dumb", variables={"PYTHONIOENCODING": "ascii"}) as terminal:
        terminal.expect("[10c]")
        terminal.enter("fish", "?fish? is no card and no command")


def test_sentences_in_place_of_drawings() -> None:
    with Terminal("18", "--plain", term="dumb") as terminal:
        terminal.expect("Stock: 23 cards.")
        terminal.expect("Row 1: jack of diamonds covered.")
        terminal.enter("k", "Score: 10.")
        terminal.enter("Jd", "Jack of diamonds is blocked by another card.")
        terminal.enter("10c", "10 of clubs is selected.")
        terminal.expect("10 of clubs >")
        terminal.type("3s 3h 10s\r")
        terminal.expect("The sum must be 13.")


def test_the_log_goes_to_stdout_when_that_is_a_file_and_the_game_to_stderr(log: Path) -> None:
    master, slave = pty.openpty()
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "pyramide_cli", "play", "18"],
            stdin=slave,
            stdout=file,
            stderr=slave,
            cwd=ROOT,
            env=os.environ | {"TERM": "dumb", "LC_ALL": "C.UTF-8"},
        )
        os.close(slave)
        os.write(master, b"k\nq\n")
        shown = b""
        while b"Result" not in shown:
            shown += os.read(master, 65536)
        assert process.wait(PATIENCE) == 0
        os.close(master)
    assert b"foundation" in shown
    assert [record["type"] for record in records(log)] == ["deal", "move", "end"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_batch_that_is_stopped_leaves_whole_games(log: Path, tmp_path: Path, number: signal.Signals) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text("".join(f"{n}\n" for n in range(100_000)))
    command = [sys.executable, "-m", "pyramide_cli", "play", "--player", "first", "--log", str(log), str(deals)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while not (log.exists() and log.stat().st_size > 50_000) and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(number)
    assert b"Traceback" not in process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 128 + number
    assert all(game["outcome"] != "open" for game in verified(log))


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_what_is_said_last_does_not_stand_behind_the_prompt(key: str, term: str, log: Path) -> None:
    with Terminal("18", "--log", log, term=term) as terminal:
        terminal.expect("Type ? for help, q to quit.")
        terminal.expect(">")
        time.sleep(0.3)  # readline shows its prompt a moment before it minds signals
        terminal.type(key)
        terminal.expect("\nThe game stays open")
        terminal.end()
