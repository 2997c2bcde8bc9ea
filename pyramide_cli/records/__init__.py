r"""The JSON Lines records: reading, writing, their schema, and the deals and rules that they hold.

>>> from pyramide_cli.records import DealRecord, decode, encode
>>> record = decode(b'{"type":"deal","v":1,"code":"PY1-N-AAAAAAS","rules":"pyramide"}')
>>> encode(record)
b'{"type":"deal","v":1,"code":"PY1-N-AAAAAAS","rules":"pyramide","cards":null}\n'
"""

from msgspec import UNSET

from pyramide_cli.records.content import HOLDS_DEAL, code_fault, deal_of, deal_record, rules_of
from pyramide_cli.records.lines import (
    LINE_LIMIT,
    STDIN,
    Block,
    Problem,
    file_name,
    open_lines,
    printable,
    read_blocks,
)
from pyramide_cli.records.reading import Located, RecordError, decode, read_records
from pyramide_cli.records.structs import (
    VERSION,
    AnalysisRecord,
    AnalysisSummary,
    DealRecord,
    EndRecord,
    GameRecord,
    MoveRecord,
    Outcome,
    Record,
    RulesValue,
    SolutionRecord,
    Verdict,
    known,
)
from pyramide_cli.records.writing import encode

__all__ = [
    "HOLDS_DEAL",
    "LINE_LIMIT",
    "STDIN",
    "UNSET",
    "VERSION",
    "AnalysisRecord",
    "AnalysisSummary",
    "Block",
    "DealRecord",
    "EndRecord",
    "GameRecord",
    "Located",
    "MoveRecord",
    "Outcome",
    "Problem",
    "Record",
    "RecordError",
    "RulesValue",
    "SolutionRecord",
    "Verdict",
    "code_fault",
    "deal_of",
    "deal_record",
    "decode",
    "encode",
    "file_name",
    "known",
    "open_lines",
    "printable",
    "read_blocks",
    "read_records",
    "rules_of",
]
