"""Whatever the bytes: one kind of error, and verbatim seeds."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.proposals.error import ProposalError
from ideatrail.proposals.sections import split_sections
from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import Proposal, list_ideas, read_proposal
from ideatrail.trail.oracle import Seed
from ideatrail.trail.text import sentences, squeeze

SUFFIXES = [".md", ".txt", ".json", ".jsonl", ".yaml", ".rst", ".tex", ".html", ""]
FRAGMENTS = ["", "#1", "#key", "##", "#\u00e9\x00"]

LINES = st.sampled_from(
    """# Title: A study of probes
## Method
**Method.** We propose *Probe-X* for `models` and $a_i * b_i$.
Method: we train a probe. It works (see Sec. 3). "Does it?" Yes.
- **Metrics**: accuracy, F1
1. Problem Statement: Models fail. To address this, we propose a fix.
Step 1: Gather Datasets: We use MMLU.
Baselines:
| Baseline | Cost |
|---|---|
| Greedy **decoding** | 1 |
$$
\\begin{cases} a \\\\ b*c*d \\end{cases}
$$ and so on
```
# not a heading
~~~
We ask whether x holds? If it fails, we stop.
We hypothesize that "quoted text?" helps. It is **bold
over lines** here.
Compare with zero-shot CoT, few-shot CoT, and (1) one (2) two.
======
------
> quoted: we evaluate [this](http://x.y/z_(a)) and [that].
"Step 1": "We measure it.", "Step 2": "We compare it to a baseline."
研究问题
我们提出一种方法。它有效吗？
RISKS
<b>html</b> &amp; <p>a paragraph</p><br><think>
\\[
x = y \\]
The risk is that e.g. this fails!  Two  spaces.\u00a0NBSP
  continued line
    - nested item: text
---
""".split("\n")
)
TEXTS = st.lists(LINES, min_size=3, max_size=30).map(
    lambda lines: "A study of a model with data: the method is new.\n\n" + "\n".join(lines)
)


def read_bytes(raw: bytes, suffix: str, fragment: str) -> Proposal | None:
    """The proposal, or None where it is refused; any other exception fails the test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"p{suffix}"
        path.write_bytes(raw)
        with contextlib.suppress(ProposalError):
            list_ideas(path)
        with contextlib.suppress(ProposalError):
            return read_proposal(f"{path}{fragment}")
    return None


def check_verbatim(proposal: Proposal, seed: Seed) -> None:
    text = squeeze(proposal.text)
    fields = [seed.research_question, seed.thesis, seed.method, seed.evaluation, seed.novelty_claim]
    for value in (*fields, *seed.baselines, *seed.risks):
        for sentence in sentences(value):
            assert squeeze(sentence) in text, (sentence, text)


@given(st.binary(max_size=400), st.sampled_from(SUFFIXES), st.sampled_from(FRAGMENTS))
@settings(max_examples=300, deadline=None)
def test_any_bytes_give_a_proposal_or_a_refusal(raw: bytes, suffix: str, fragment: str) -> None:
    proposal = read_bytes(raw, suffix, fragment)
    if proposal is not None:
        make_seed(proposal, "x")


@given(
    st.text(max_size=400),
    st.sampled_from(SUFFIXES),
    st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
)
@settings(max_examples=200, deadline=None)
def test_any_text_gives_a_proposal_or_a_refusal(text: str, suffix: str, encoding: str) -> None:
    proposal = read_bytes(text.encode(encoding, "surrogatepass"), suffix, "")
    if proposal is not None:
        check_verbatim(proposal, make_seed(proposal, "x"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["Title", "Method", "Problem", "Name", "id", "metadata", "date", "x", "ideas"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON, st.sampled_from([".json", ".yaml", ".md"]), st.sampled_from(FRAGMENTS))
@settings(max_examples=200, deadline=None)
def test_any_data_gives_an_idea_or_a_refusal(data: object, suffix: str, fragment: str) -> None:
    proposal = read_bytes(json.dumps(data).encode(), suffix, fragment)
    if proposal is not None:
        check_verbatim(proposal, make_seed(proposal, "x"))


@given(TEXTS, st.sampled_from([".md", ".txt", ".rst"]))
@settings(max_examples=300, deadline=None)
def test_seeds_are_verbatim(text: str, suffix: str) -> None:
    proposal = read_bytes(text.encode(), suffix, "")
    if proposal is not None:
        check_verbatim(proposal, make_seed(proposal, "x"))


@given(TEXTS)
@settings(max_examples=200, deadline=None)
def test_sections_lose_no_words(text: str) -> None:
    kept = "\n".join(f"{s.label} {s.body}" for s in split_sections(text))
    for word in ("propose", "Datasets", "MMLU", "html", "nested", "measure", "Probe-X", "decoding"):
        assert kept.count(word) >= text.count(word)
