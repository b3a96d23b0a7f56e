"""Real proposals, read by hand: what must stand in their seeds, and what must not."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ideatrail.proposals.seed import make_seed
from ideatrail.proposals.source import list_ideas, read_proposal
from ideatrail.resources import folder
from ideatrail.trail.oracle import Seed
from ideatrail.trail.text import sentences, squeeze

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "proposals"

needs_real = pytest.mark.skipif(not REAL.is_dir(), reason="no real inputs beside the checkout")


@dataclass(frozen=True)
class Expected:
    """Phrases checked by hand against the file."""

    quality: str
    question: tuple[str, ...] = ()
    not_question: tuple[str, ...] = ()
    thesis: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    not_method: tuple[str, ...] = ()
    evaluation: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    title: str = ""
    empty: tuple[str, ...] = field(default=())


EXPECTED: dict[str, Expected] = {
    "novi_human_idea.txt": Expected(
        "high",
        question=("can generate outputs that reveal sensitive information",),
        not_question=("PPPF", "Filtering"),
        method=("We introduce Privacy-Preserving Prompt Filtering (PPPF)", "Response Generation"),
        not_method=("John Doe", "perplexity"),
        evaluation=("Enron Email Dataset", "Privacy Preservation: We will manually annotate"),
        baselines=("Unfiltered Generation", "Differential Privacy", "Text Sanitization"),
        names=("Privacy-Preserving Prompt Filtering", "PPPF"),
        empty=("novelty_claim",),
    ),
    "novi_machine_idea.txt": Expected(
        "high",
        question=("fixed prompts that do not adapt",),
        not_question=("Adaptive Prompting",),
        thesis=("Adapting prompts to the specific characteristics",),
        method=("Updating the meta-learning model",),
        not_method=("MultiNLI", "capital of France"),
        evaluation=("MultiNLI", "ablating each feature group"),
        baselines=("Fixed prompting", "Random prompting", "Input-dependent prompting"),
        risks=("If AP does not outperform the baselines",),
        names=("Adaptive Prompting", "AP"),
    ),
    "novi_human_plan_1.txt": Expected(
        "medium",
        question=("how epistemic markers of certainty",),
        thesis=("models are robust to any added expressions",),
        method=("weakeners and strengtheners", "We inject markers"),
        evaluation=("TriviaQA", "Variance of accuracy"),
        baselines=("neutral marker as the baseline",),
        title="Analyzing How Expressions of Uncertainty and Overconfidence Affect Language Models",
        empty=("novelty_claim",),
    ),
    "novi_human_plan_2.txt": Expected(
        "high",
        question=("it needs labeled exemplars",),
        not_question=("analogical", "we propose"),
        method=("We call this method analogical prompting", "append to the prompt"),
        evaluation=("GSM8K and MATH",),
        baselines=("zero-shot CoT", "few-shot CoT"),
        risks=("does not outperform the CoT baseline",),
        names=("analogical prompting",),
    ),
    "novi_plan_according_to_prompting.md": Expected(
        "high",
        question=("may hallucinate and generate fake information",),
        not_question=("According", "Wikipedia"),
        method=("We call this strategy according-to prompting",),
        not_method=("digestive", "ELI5"),
        evaluation=("ELI5, Natural Questions (NQ), TriviaQA, and HotpotQA", "exact match and F1"),
        baselines=("The baseline prompt is we just ask the question",),
        risks=("If the proposed according-to prompts do not work well",),
        names=("according-to prompting",),
        title='"According to..." Prompting Language Models Improves Quoting for Factual Knowledge',
    ),
    "novi_plan_chain_of_verification_prompting.md": Expected(
        "high",
        not_question=("Verification", "CoVe"),
        method=("Plan Verifications", "Generate Final Verified Response"),
        evaluation=("MultiSpanQA",),
        baselines=("we use direct prompting",),
        names=("Chain-of-Verification", "CoVe"),
    ),
    "mlr_iclr2025_buildingtrust_o4.md": Expected(
        "high",
        question=("factually incorrect or logically inconsistent outputs",),
        not_question=("IS-LLM", "Iterative Self-Correcting"),
        method=("The corrector prompt concatenates", "predictive entropy"),
        not_method=("FEVER score",),
        evaluation=("HoVerQA", "Expected Calibration Error"),
        baselines=("Base LLM without correction", "Supervised correction model (SuperCorrect)"),
        names=("Iterative Self-Correcting LLMs",),
    ),
    "mlr_iclr2025_wmark_o4.md": Expected(
        "high",
        not_question=("Dynamic Adversarial Training", "DAT"),
        method=("three modules", "U-Net backbone"),
        not_method=("InvisMark",),
        evaluation=("FFHQ", "Bit error rate (BER)"),
        baselines=("InvisMark (Xu et al., 2024)", "VINE (Lu et al., 2024)"),
        names=("Dynamic Adversarial Training", "DAT"),
        title="Dynamic Adversarial Training for Robust Generative AI Watermarking",
    ),
    "mlr_iclr2025_bi_align_deepseek.md": Expected(
        "high",
        question=("Quantify longitudinal alignment persistence",),
        method=("integrates online RL with multimodal human feedback",),
        evaluation=("6-week user study",),
        baselines=("RLHF (OpenAI, 2025)", "static imitation learning"),
        title="Dynamic Human-AI Co-Adaptation via Real-Time Feedback-Driven Alignment",
    ),
    "mlr_iclr2025_verifai_ministral.md": Expected(
        "high",
        question=("manual process of tactic engineering",),
        not_question=("LLM-TAC",),
        method=("retrieval-augmented transformer", "policy gradient"),
        evaluation=("mathcomp and stdlib", "Proof Completion Time"),
        names=("LLM-TAC",),
    ),
    "trace_topology.md": Expected(
        "high",
        question=("uncertainty quantification (UQ)",),
        thesis=("Structural features from a single reasoning trace", "Overthinking signal"),
        method=("Rule-based segmentation",),
        not_method=("A100",),
        evaluation=("MATH500", "5-fold stratified cross-validation"),
        baselines=("Verbalized confidence", "Semantic entropy (N=8)"),
        risks=("Behavior parser accuracy too low", "Cross-domain transfer fails"),
    ),
    "hi_astronomy_proposal.md": Expected(
        "high",
        question=("impossible using traditional methods",),
        method=("literature review, theoretical and mathematical analysis",),
        evaluation=("58 HI spectra samples", "ten-fold validation"),
        title="Representation learning for neutral hydrogen mapping",
        empty=("baselines", "risks", "thesis"),
    ),
    "codescientist_action_transfer_textworld.md": Expected(
        "medium",
        question=("Investigate whether basic action knowledge",),
        thesis=("will improve initial performance on a target cooking game",),
        method=("simple knowledge collection system",),
        evaluation=("Primary: Valid action rate", "10 episodes of 100 steps"),
        baselines=(
            "Random action selection",
            "No transfer learning (fresh start on target game)",
        ),
        empty=("risks", "novelty_claim"),
    ),
    "codescientist_ideas_8.json#time-based-kg-pruning": Expected(
        "medium",
        question=("Investigate whether a simple time-based pruning mechanism",),
        evaluation=("Average game score across episodes",),
        baselines=("Memory agent without pruning",),
    ),
    "arcbench_ml_topics.yaml#ML14": Expected(
        "low",
        question=("Comparing conformal prediction procedures",),
        evaluation=("coverage_gap",),
        empty=("method", "thesis", "baselines", "risks", "novelty_claim"),
    ),
    "sakana_nanogpt_ideas.json#layerwise_learning_rates": Expected(
        "low",
        not_question=("Implement",),
        method=("Modify the configure_optimizers function",),
        evaluation=("Compare the training dynamics",),
        names=("Layer-wise Learning Rate Adaptation",),
    ),
    "pl_rfp_001-proof-of-replication.md": Expected(
        "low",
        question=("stimulating the creation of novel constructions",),
        title="Novel constructions for Proof-of-Replication",
        empty=("method", "thesis", "evaluation", "baselines", "risks"),
    ),
    "pl_rfp_005-optimized-CmRDT.md": Expected(
        "low",
        question=("reduces the time required to synchronize any fresh replica",),
        empty=("method", "baselines"),
    ),
    "slep001.rst": Expected(
        "medium",
        question=("How do we support this?",),
        title="Transformers that modify their target",
        empty=("baselines",),
    ),
}


def text_of(seed: Seed, name: str) -> str:
    value = getattr(seed, name)
    return "\n".join(value) if isinstance(value, list) else str(value)


def check(seed: Seed, expected: Expected) -> None:
    assert seed.parse_quality == expected.quality
    for name, phrases in (
        ("research_question", expected.question),
        ("thesis", expected.thesis),
        ("method", expected.method),
        ("evaluation", expected.evaluation),
        ("risks", expected.risks),
        ("baselines", expected.baselines),
    ):
        held = squeeze(text_of(seed, name))
        for phrase in phrases:
            assert squeeze(phrase) in held, name
    for phrase in expected.not_question:
        assert phrase.lower() not in seed.research_question.lower()
    for phrase in expected.not_method:
        assert phrase not in seed.method
    for name in expected.names:
        assert name in seed.extra["coined_names"]
    for name in expected.empty:
        assert not getattr(seed, name), name
    if expected.title:
        assert seed.extra["title"] == expected.title


@pytest.mark.shared
@needs_real
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_seeds_of_real_files_as_read_by_hand(name: str) -> None:
    check(make_seed(read_proposal(f"{REAL}/{name}"), "x"), EXPECTED[name])


@pytest.mark.shared
@needs_real
def test_every_real_idea_gives_a_verbatim_seed() -> None:
    count = 0
    for path in sorted(REAL.iterdir()):
        if path.name == "index.jsonl":
            continue
        for fragment in list_ideas(path):
            proposal = read_proposal(f"{path}#{fragment}")
            seed = make_seed(proposal, "x")
            text = squeeze(proposal.text)
            assert seed.research_question, path.name
            for name in ("research_question", "thesis", "method", "evaluation", "novelty_claim",
                         "baselines", "risks"):  # fmt: skip
                for sentence in sentences(text_of(seed, name)):
                    assert squeeze(sentence) in text, (path.name, fragment, name)
            count += 1
    assert count >= 165


@pytest.mark.shared
@needs_real
def test_bom_and_crlf_change_nothing_but_the_notes() -> None:
    plain = read_proposal(REAL / "novi_human_idea.txt")
    changed = read_proposal(REAL / "variant_bom_crlf_novi_human_idea.md")
    first, second = (make_seed(p, "x") for p in (plain, changed))
    assert plain.text == changed.text
    assert changed.notes
    for seed in (first, second):
        seed.extra.pop("notes")
    assert first == second


@pytest.mark.shared
@needs_real
def test_only_idea_files_that_say_so_have_dates() -> None:
    dated = {
        path.name
        for path in REAL.iterdir()
        if path.suffix in (".md", ".txt", ".rst") and read_proposal(path).date
    }
    assert dated == set()
    assert read_proposal(f"{REAL}/codescientist_ideas_8.json#1").date == "2025-03-07"


SHIPPED: dict[str, Expected] = {
    "asking_before_answering.md": Expected(
        "high",
        question=("Can the mismatch between how consistent a language model expects to be",),
        not_question=("SEALCAST", "sealed"),
        method=("We call the procedure SEALCAST", "isotonic map"),
        evaluation=("TruthfulQA", "area under the risk-coverage curve"),
        baselines=("verbalized confidence after the answer",),
        risks=("Flat forecasts",),
        names=("SEALCAST",),
    ),
    "borrowed_vocabulary.txt": Expected(
        "high",
        question=("is one transfer language enough?",),
        method=("We call the mechanism the Loan Ledger",),
        evaluation=("MasakhaNER 2.0",),
        baselines=("transliterated input", "language adapters alone"),
        risks=("Lexicons may be too thin",),
        names=("Loan Ledger",),
    ),
    "disagreement_aware_judging.md": Expected(
        "medium",
        question=("predict the distribution of scores that a population of human raters",),
        not_question=("mend-and-poll",),
        thesis=("the predictable part of rater disagreement",),
        method=("writes a minimal repair",),
        evaluation=("Earth mover's distance",),
        baselines=("persona prompts",),
        risks=("the editor polishes the whole sentence",),
        names=("mend-and-poll",),
    ),
    "source_aware_decoding.md": Expected(
        "high",
        question=("Can a generator avoid unsupported details",),
        thesis=("loses probability when one specific source segment is withdrawn",),
        method=("We call the mechanism Witness-Withdrawal Decoding (WWD)",),
        evaluation=("XSum and CNN/Daily Mail",),
        baselines=("Reranking beam candidates with an entailment metric",),
        names=("Witness-Withdrawal Decoding", "WWD"),
    ),
    "tests_as_questions.md": Expected(
        "high",
        question=("Can annotated examples that took a known side",),
        not_question=("ForkWitness",),
        method=("sample 20 candidates", "one-edit mutations"),
        evaluation=("KaggleDBQA",),
        baselines=("always ask at a fork",),
        risks=("near-duplicates between pool and test",),
        names=("ForkWitness",),
    ),
}


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_seeds_of_the_proposals_we_ship(name: str) -> None:
    proposal = read_proposal(folder("data") / "proposals" / name)
    check(make_seed(proposal, "x"), SHIPPED[name])
    assert proposal.date
    assert json.dumps(proposal.notes)
