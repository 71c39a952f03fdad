"""What the guard says of counts: which works rise, and over what.

A line of the history holds, for each work, the instructions of its state and those of the state of the line before, both counted in
one run with one toolchain. Counts of different lines are never compared: 1.88 and 1.95 of rustc differ by 4 to 7 % on the
same source. How a work stands between distant lines is the product of the ratios of the lines in between.
"""

import json
from dataclasses import dataclass

# A work may cost so many times what it cost at the last line …
STEP = 1.03
# … and so many times what it cost at its lowest line of the last LINES.
SUM = 1.05
LINES = 30

# Of a line, in their order, before its counts.
KEYS = ("commit", "reason", "rustc", "llvm", "libc", "valgrind", "vectors", "texts")


class Fault(Exception):
    """Something that is not as it must be, in words for who reads the guard's output."""


def lines_of(text):
    """The lines of a history, each checked."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            line = json.loads(line)
        except ValueError as error:
            raise Fault(f"line {number} of the history is no JSON: {error}") from None
        missing = [key for key in (*KEYS, "counts") if key not in line]
        if missing:
            raise Fault(f"line {number} of the history has no {', '.join(missing)}")
        lines.append(line)
    for work in {work for line in lines for work in line["counts"]}:
        standing(lines, work)
    return lines


def written(line):
    """A line as it stands in the file."""
    return json.dumps({key: line[key] for key in (*KEYS, "counts")}, ensure_ascii=False) + "\n"


def standing(lines, work):
    """How a work stands at the last line: how many times what it cost at its lowest of the last lines. 1 where it is new."""
    levels = []
    for number, line in enumerate(lines, 1):
        if work not in line["counts"]:
            levels = []
            continue
        count, before = line["counts"][work]
        if before is None or not levels:
            levels = [1.0]
            continue
        level = levels[-1] * count / before
        if exceeds(count / before, level / min(levels[-LINES:])):
            if not line["reason"]:
                raise Fault(f"line {number} of the history lets {work!r} rise without a reason")
            # Who accepts a rise accepts that it is the work's height from now on.
            levels = [level]
        else:
            levels.append(level)
    return levels[-1] / min(levels[-LINES:]) if levels else 1.0


def exceeds(step, over_lowest):
    return step > STEP or over_lowest > SUM


@dataclass
class Row:
    """What became of a work."""

    work: str
    base: int | None
    head: int | None
    # How many times the base's, and the lowest line's.
    step: float
    over_lowest: float
    # "rises", "gone", "new" or nothing.
    verdict: str

    @property
    def is_refused(self):
        return self.verdict in ("rises", "gone")


def judged(lines, head, base):
    """A row for each work of two states, by the history that ends with the base's line. States are counts by work."""
    rows = []
    for work in [*head, *(work for work in base if work not in head)]:
        now, before = head.get(work), base.get(work)
        if now is None:
            rows.append(Row(work, before, None, 1.0, 1.0, "gone"))
        elif before is None:
            rows.append(Row(work, None, now, 1.0, 1.0, "new"))
        else:
            step = now / before
            over_lowest = standing(lines, work) * step
            rows.append(Row(work, before, now, step, over_lowest, "rises" if exceeds(step, over_lowest) else ""))
    return rows


def table(rows):
    """The rows for people, the refused ones marked."""
    width = max(len(row.work) for row in rows)
    out = [f"{'':{width}}  {'before':>13}  {'now':>13}  {'step':>8}  {'over lowest':>11}"]
    percent = lambda ratio: f"{100 * (ratio - 1):+.2f} %"
    for row in rows:
        counts = "  ".join(f"{'' if count is None else f'{count:,}':>13}" for count in (row.base, row.head))
        ratios = f"{percent(row.step):>8}  {percent(row.over_lowest):>11}" if row.base and row.head else f"{'':>8}  {'':>11}"
        out.append(f"{row.work:{width}}  {counts}  {ratios}  {row.verdict}".rstrip())
    return "\n".join(out)


def line_of(commit, reason, machine, rows):
    """The line that accepts what was judged."""
    refused = [row.work for row in rows if row.is_refused]
    if refused and not reason:
        raise Fault(f"needs a reason (--reason TEXT): {', '.join(refused)}")
    counts = {row.work: [row.head, row.base] for row in rows if row.head is not None}
    return {"commit": commit, "reason": reason, **machine, "counts": counts}
