"""Well-known models, methods and test sets with the day on which they came out.

What is known without an index; facts of public record (announcements and first arXiv versions).
Names that are ordinary words as well are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ideatrail.evidence.dates import Cutoff, parse_date

NAMES: Final[dict[str, str]] = {
    "ELMo": "2018-02-15",
    "BERT": "2018-10-11",
    "GPT-2": "2019-02-14",
    "SciBERT": "2019-03-26",
    "SuperGLUE": "2019-05-02",
    "XLNet": "2019-06-19",
    "RoBERTa": "2019-07-26",
    "DistilBERT": "2019-10-02",
    "GPT-3": "2020-05-28",
    "DeBERTa": "2020-06-05",
    "MMLU": "2020-09-07",
    "LoRA": "2021-06-17",
    "HumanEval": "2021-07-07",
    "TruthfulQA": "2021-09-08",
    "GSM8K": "2021-10-27",
    "InstructGPT": "2022-01-27",
    "DALL-E 2": "2022-04-06",
    "PaLM": "2022-04-05",
    "OPT-175B": "2022-05-03",
    "FlashAttention": "2022-05-27",
    "BIG-bench": "2022-06-09",
    "Stable Diffusion": "2022-08-22",
    "Flan-T5": "2022-10-20",
    "BLOOMZ": "2022-11-03",
    "ChatGPT": "2022-11-30",
    "Constitutional AI": "2022-12-15",
    "Self-Instruct": "2022-12-20",
    "Med-PaLM": "2022-12-26",
    "Toolformer": "2023-02-09",
    "LLaMA": "2023-02-24",
    "GPT-4": "2023-03-14",
    "SelfCheckGPT": "2023-03-15",
    "Vicuna": "2023-03-30",
    "LLaVA": "2023-04-17",
    "Chatbot Arena": "2023-05-03",
    "PaLM 2": "2023-05-10",
    "Tree of Thoughts": "2023-05-17",
    "QLoRA": "2023-05-23",
    "FActScore": "2023-05-23",
    "Direct Preference Optimization": "2023-05-29",
    "MT-Bench": "2023-06-09",
    "Claude 2": "2023-07-11",
    "FlashAttention-2": "2023-07-17",
    "Llama 2": "2023-07-18",
    "WebArena": "2023-07-25",
    "ToolLLM": "2023-07-31",
    "LongBench": "2023-08-28",
    "AgentBench": "2023-08-07",
    "GPT-4V": "2023-09-25",
    "Mistral 7B": "2023-09-27",
    "SWE-bench": "2023-10-10",
    "GPQA": "2023-11-20",
    "Mixtral": "2023-12-11",
    "Phi-2": "2023-12-12",
    "Gemini 1.5": "2024-02-15",
    "Claude 3": "2024-03-04",
    "Llama 3": "2024-04-18",
    "Phi-3": "2024-04-23",
    "DeepSeek-V2": "2024-05-07",
    "GPT-4o": "2024-05-13",
    "MMLU-Pro": "2024-06-03",
    "Qwen2": "2024-06-07",
    "Claude 3.5": "2024-06-20",
    "Gemma 2": "2024-06-27",
    "Llama 3.1": "2024-07-23",
    "o1-preview": "2024-09-12",
    "Qwen2.5": "2024-09-19",
    "Llama 3.2": "2024-09-25",
    "Llama 3.3": "2024-12-06",
    "Gemini 2.0": "2024-12-11",
    "DeepSeek-V3": "2024-12-26",
    "DeepSeek-R1": "2025-01-20",
    "o3-mini": "2025-01-31",
    "Claude 3.7": "2025-02-24",
    "GPT-4.5": "2025-02-27",
    "Gemma 3": "2025-03-12",
    "Gemini 2.5": "2025-03-25",
    "Llama 4": "2025-04-05",
    "GPT-4.1": "2025-04-14",
    "Qwen3": "2025-04-29",
    "Claude 4": "2025-05-22",
    "GPT-5": "2025-08-07",
}


@lru_cache(maxsize=64)
def _late(cutoff: Cutoff) -> re.Pattern[str] | None:
    """All names from after `cutoff`, in any spelling of their joints."""
    names = [n for n, day in NAMES.items() if not cutoff.admits(parse_date(day))]
    if not names:
        return None
    forms = (r"[-\s]?".join(map(re.escape, re.split(r"[-\s]", n))) for n in names)
    # A longer version number is another name: Llama 3 is not in Llama 3.1.
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(forms)})(?![\w]|\.\d|-\d)", re.IGNORECASE)


def late_names(text: str, cutoff: Cutoff) -> Iterator[str]:
    """The names in `text` that came out after `cutoff`; written small, `lora` is another word."""
    pattern = _late(cutoff)
    if pattern is None:
        return
    for match in pattern.finditer(text):
        said = match.group()
        if said[0].isupper() or any(c.isdigit() for c in said):
            yield said
