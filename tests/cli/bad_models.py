"""Models with one thing changed, and what every refusal has in common."""

import program
from program import PENDULUM, ProgramTest

CONSTRAINT = 'constraints = ["x^2 + y^2 - l^2"]'
CHAIN = (program.SOURCE_DIR / "problems" / "chain.toml").read_text(encoding="utf-8")


def changed(old, new, base=PENDULUM):
    assert base.count(old) == 1, f"{old!r} must occur once"
    return base.replace(old, new)


def place_of(text, word, occurrence=1):
    """Line and column, from 1, of the n-th occurrence of a word in a file."""
    at = -1
    for _ in range(occurrence):
        at = text.index(word, at + 1)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


class BadModelTest(ProgramTest):
    def points_at(self, text, word, *says, occurrence=1, file="model.toml", arguments=()):
        """Refuses the model; names file, line and column of `word`, shows the line, and the caret is under it."""
        line, column = place_of(text, word, occurrence)
        message = self.refused(self.write(text, file), *arguments, says=says)
        self.assertIn(f"{file}:{line}:{column}: ", message)
        shown = message.splitlines()
        marks = [k for k, row in enumerate(shown) if row.strip() and not row.strip().strip("^")]
        self.assertEqual(len(marks), 1, f"one row of carets in\n{message}")
        source = text.splitlines()[line - 1]
        self.assertTrue(shown[marks[0] - 1].endswith(source), message)
        indent = len(shown[marks[0] - 1]) - len(source)
        # Tabs of the source are repeated before the caret, so that columns agree on any terminal.
        self.assertEqual(shown[marks[0]].index("^") - indent, column - 1, message)
        return message
