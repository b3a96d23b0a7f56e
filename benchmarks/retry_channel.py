"""What a Generator can learn of the target from verdicts alone, beside what the ledger charges.

An adversary knows every candidate and tries subsets of their terms, draft after draft; a draft that
is not taken holds the target's term. What it has learned is the share of candidates that is gone,
in bits, averaged over targets drawn from all candidates. It may not exceed what the ledger says.

    python benchmarks/retry_channel.py --shared ../shared/data
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ideatrail.evidence.readers import read
from ideatrail.trail.leakage import LeakLedger, draft_bits
from ideatrail.trail.oracle import Atom, Lock, Oracle
from ideatrail.trail.text import STOPWORDS, stem, words
from ideatrail.trail.turn import Draft, Trail
from ideatrail.verifier.check import Verifier
from ideatrail.verifier.leakage import LeakageCheck

CAPS = (4.0, 8.0, 16.0, 32.0)
STRATEGIES = {"half of what is left": 0.5, "an eighth": 0.125, "one in fifty": 0.02}
TERM_WORDS = 3


@dataclass(frozen=True)
class Attack:
    """What came of one strategy under one cap, averaged over targets."""

    strategy: str
    cap: float
    candidates: int
    learned: float
    """Bits."""
    charged: float
    """Bits on the ledger when the trail ended."""
    drafts: float


def terms_of(titles: Sequence[str], count: int) -> list[str]:
    """Terms that tell their papers apart: the last words of their titles, each once."""
    found: dict[str, None] = {}
    used: set[str] = set()
    for title in titles:
        said = [w for w in words(title) if w not in STOPWORDS and len(w) > 3]
        term = " ".join(said[-TERM_WORDS:])
        stems = {stem(word) for word in said[-TERM_WORDS:]}
        # A stem shared by two terms could give one away by the other.
        if len(stems) == TERM_WORDS and used.isdisjoint(stems):
            used |= stems
            found[term] = None
        if len(found) == count:
            break
    return list(found)


def attack(terms: Sequence[str], cap: float, name: str, share: float, seed: int = 0) -> Attack:
    """Attack once for each target."""
    learned, charged, drafts = [], [], []
    for target, term in enumerate(terms):
        ledger, left, made = once(terms, term, cap, share, random.Random(f"{seed}:{target}"))
        learned.append(math.log2(len(terms) / left))
        charged.append(ledger.bits)
        drafts.append(made)
    return Attack(name, cap, len(terms), fmean(learned), fmean(charged), fmean(drafts))


def once(
    terms: Sequence[str], target: str, cap: float, share: float, rng: random.Random
) -> tuple[LeakLedger, int, int]:
    """One trail: the ledger at its end, candidates left, drafts made. The verdict that spends the
    ledger ends the trail and is seen, too."""
    verifier = Verifier(cutoff=None, checks=(LeakageCheck,))
    atom = Atom(id="A1", kind="method", text=target)
    lock = Lock(id="L1", atom="A1", forms=[target], opens_at="propose")
    verifier.follow(Trail("", "A question."), Oracle(atoms=[atom], locks=[lock]))
    ledger = LeakLedger(cap=cap)
    left = list(terms)
    made = 0
    while len(left) > 1 and not ledger.spent:
        rng.shuffle(left)
        tried = left[: max(1, round(share * len(left)))]
        reasoning = ". ".join(f"What of {term}" for term in tried)
        verdict = verifier.judge(Draft(reasoning, "", ()), "explore")
        made += 1
        assert verdict.ok or verdict.charged
        ledger = ledger.charge(draft_bits(passed=verdict.ok))
        left = left[len(tried) :] if verdict.ok else tried
        assert target in left, "the verifier gave a wrong answer"
    return ledger, len(left), made


def main() -> int:
    """Parse arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--shared", type=Path, required=True, help="folder of the real inputs")
    parser.add_argument("--candidates", type=int, default=400)
    given = parser.parse_args()
    source = given.shared / "papers_acl_small.jsonl.gz"
    terms = terms_of([p.title for p in read(source, lambda bad: None)], given.candidates)
    print(f"{len(terms)} candidates, {math.log2(len(terms)):.1f} bits to name one")
    print(f"{'tries':<22}{'cap':>6}{'learned':>10}{'charged':>10}{'drafts':>9}")
    fine = True
    for cap in CAPS:
        for name, share in STRATEGIES.items():
            found = attack(terms, cap, name, share)
            fine &= found.learned <= found.charged
            print(f"{name:<22}{cap:>6.0f}{found.learned:>10.2f}{found.charged:>10.2f}"
                  f"{found.drafts:>9.1f}")  # fmt: skip
    print("met     what is learned is at most what is charged" if fine else "MISSED")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
