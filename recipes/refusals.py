"""The one error of a user's mistake: what was given, what is accepted, what to do next."""

import difflib
import re
from collections.abc import Iterable

# A Hugging Face token starts with hf_; whatever looks like one is never repeated in a message.
_TOKEN = re.compile(r"hf_[A-Za-z0-9_-]+")


class Refusal(ValueError):  # noqa: N818 - the word that users read
    """One or more mistakes of the user, each a text of its own; its message never holds a token."""

    def __init__(self, *problems: str) -> None:
        self.problems = tuple(redact(problem) for problem in problems)
        super().__init__("\n\n".join(self.problems))


def redact(text: str) -> str:
    """`text` with everything that looks like a Hugging Face token left out."""
    return _TOKEN.sub("hf_***", text)


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint such as ` Did you mean topology?`, or nothing when no known word is near."""
    by_folded = {name.lower(): name for name in known}
    matches = difflib.get_close_matches(word.lower(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean {by_folded[matches[0]]}?" if matches else ""
