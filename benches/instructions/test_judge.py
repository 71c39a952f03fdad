"""The guard's judgement, on tables: `python3 -m unittest discover benches/instructions`. Nothing is built or counted."""

import unittest
from pathlib import Path

import judge
import texts

MACHINE = {key: "x" for key in judge.KEYS if key not in ("commit", "reason")}


def history(*lines):
    """Lines as they stand in the file, each of ratios to the line before by work (`None`: new), and perhaps a reason."""
    made = []
    for at, (ratios, reason) in enumerate(lines):
        counts = {work: [1000, None] if ratio is None else [round(1000 * ratio), 1000] for work, ratio in ratios.items()}
        made.append({"commit": f"{at:040}", "reason": reason, **MACHINE, "counts": counts})
    return judge.lines_of("".join(judge.written(line) for line in made))


def refused(lines, head, base):
    return [row.work for row in judge.judged(lines, head, base) if row.is_refused]


class Step(unittest.TestCase):
    lines = history(({"prose": None, "html": None}, None))

    def test_five_per_cent_more_are_refused(self):
        self.assertEqual(refused(self.lines, {"prose": 1050, "html": 1000}, {"prose": 1000, "html": 1000}), ["prose"])

    def test_three_per_cent_more_are_not(self):
        self.assertEqual(refused(self.lines, {"prose": 1030, "html": 900}, {"prose": 1000, "html": 1000}), [])
        self.assertEqual(refused(self.lines, {"prose": 1031, "html": 900}, {"prose": 1000, "html": 1000}), ["prose"])

    def test_what_another_work_saves_does_not_pay(self):
        self.assertEqual(refused(self.lines, {"prose": 1040, "html": 1}, {"prose": 1000, "html": 1000}), ["prose"])

    def test_the_recorded_counts_are_not_what_is_compared(self):
        """Another compiler makes other counts of the same state."""
        self.assertEqual(refused(self.lines, {"prose": 2000, "html": 2000}, {"prose": 2000, "html": 2000}), [])

    def test_a_work_that_is_gone_is_refused_and_a_new_one_is_not(self):
        self.assertEqual(refused(self.lines, {"prose": 1, "css": 9}, {"prose": 1, "html": 1}), ["html"])


class Sum(unittest.TestCase):
    def test_small_rises_add_up(self):
        lines = history(({"prose": None}, None), ({"prose": 1.02}, None), ({"prose": 1.02}, None))
        self.assertEqual(refused(lines, {"prose": 1009}, {"prose": 1000}), [])
        self.assertEqual(refused(lines, {"prose": 1010}, {"prose": 1000}), ["prose"])

    def test_the_lowest_line_is_the_measure_not_the_first(self):
        lines = history(({"prose": None}, None), ({"prose": 0.9}, None), ({"prose": 1.028}, None))
        self.assertEqual(refused(lines, {"prose": 1028}, {"prose": 1000}), ["prose"])

    def test_what_is_longer_ago_than_thirty_lines_is_forgotten(self):
        def lines(still):
            return history(({"prose": None}, None), ({"prose": 1.03}, None), *[({"prose": 1.0}, None)] * still)

        self.assertEqual(refused(lines(28), {"prose": 1028}, {"prose": 1000}), ["prose"])
        self.assertEqual(refused(lines(29), {"prose": 1028}, {"prose": 1000}), [])

    def test_a_reason_raises_the_works_that_needed_it_alone(self):
        start = ({"prose": None, "html": None}, None)
        lines = history(start, ({"prose": 1.2, "html": 1.029}, "a rule that many asked for"))
        self.assertEqual(refused(lines, {"prose": 1029, "html": 1029}, {"prose": 1000, "html": 1000}), ["html"])

    def test_a_line_without_its_reason_is_a_fault(self):
        with self.assertRaisesRegex(judge.Fault, "line 2 .*prose"):
            history(({"prose": None}, None), ({"prose": 1.04}, None))
        with self.assertRaisesRegex(judge.Fault, "line 3 .*prose"):
            history(({"prose": None}, None), ({"prose": 1.028}, None), ({"prose": 1.028}, None))


class Accepting(unittest.TestCase):
    rows = judge.judged(history(({"prose": None}, None)), {"prose": 1100, "css": 5}, {"prose": 1000})

    def test_a_rise_needs_a_reason(self):
        with self.assertRaisesRegex(judge.Fault, "prose"):
            judge.line_of("0" * 40, None, MACHINE, self.rows)

    def test_the_line_holds_both_counts(self):
        line = judge.line_of("0" * 40, "because", MACHINE, self.rows)
        self.assertEqual(line["counts"], {"prose": [1100, 1000], "css": [5, None]})

    def test_the_history_is_sound(self):
        text = Path(__file__).with_name("history.jsonl").read_text()
        lines = judge.lines_of(text)
        self.assertEqual(text, "".join(judge.written(line) for line in lines))
        self.assertGreater(len(lines[-1]["counts"]), 50)


class Texts(unittest.TestCase):
    def test_a_seed_makes_one_text(self):
        self.assertEqual(texts.Dice("a").roll(1000), 506)
        self.assertEqual(texts.Writer("a").text(2000), texts.Writer("a").text(2000))
        self.assertNotEqual(texts.Writer("a").text(2000), texts.Writer("b").text(2000))

    def test_pieces_are_whole_characters(self):
        for piece in texts.Writer("a", "ja", texts.FOREIGN).pieces(2000, 60):
            self.assertTrue(50 < len(piece.decode().encode()) <= 60)


if __name__ == "__main__":
    unittest.main()
