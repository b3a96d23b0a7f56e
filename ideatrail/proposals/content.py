"""Whether a text holds research content at all. Terse is fine; a shopping list is not."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from ideatrail.proposals.language import guess_language
from ideatrail.trail.cues import cues
from ideatrail.trail.text import sentences, words

# Beginnings of words that research talk is made of, in the languages the guess knows. One text
# has to hold several different ones: `method` alone is in any recipe.
_RESEARCH: Final[tuple[str, ...]] = tuple(
    """
    research stud(y|ies) investigat propos hypothes experiment evaluat method methodolog
    approach problem question objective aim(s|ed)?$ goal dataset data$ corpus corpora model
    baseline benchmark metric measur analy[sz] algorithm framework protocol theor(y|em|ies|etic)
    proof(s)?$ prov(e|able|ably)$ compar improv predict simulat estimat literature evidence
    annotat statistic significan(t|ce) contribution novel accuracy performance robust optimi[sz]
    effect(s|ive|iveness)?$ variable sampl result(s)?$ outcome technique construct implement
    develop design project grant milestone deliverable$ deliverables$ challenge open$ solution
    learning training neural language agent reasoning task(s)?$ prompt implication finding
    forschung untersuch methode daten ergebnis frage hypothese auswert verfahren vorhaben ziel
    recherche étud méthode données hypothèse résultat évalu expérien problématique objectif
    investigaci estudio método datos hipótesis resultado evalua experimento pregunta objetivo
    ricerca metodo dati ipotesi risultat valut esperiment pesquisa dados hipótese avalia
    onderzoek methode gegevens resultaten исследован метод данны гипотез эксперимент результат
    модел оценк задач
    """.split()
)
_PATTERNS: Final = tuple(re.compile(stem) for stem in dict.fromkeys(_RESEARCH))
_CJK: Final = re.compile(
    "研究|方法|实验|實驗|実験|数据|數據|データ|模型|モデル|评估|評估|評価|问题|問題|假设|假設|仮説|算法|提出|结果|結果|基线|指标|"
    "分析|提案|手法|연구|방법|실험|데이터|모델|평가|문제|가설|결과"
)
NEEDED: Final = 3
"""Different research words that a text must hold."""
NEEDED_TOLD: Final = 2
"""The same for a text with a sentence that asks, aims or proposes: a request can be one line."""

_LOREM: Final = re.compile(
    r"\b(?:lorem|ipsum|dolor|amet|consectetur|adipiscing|elit|sed|eiusmod)\b", re.I
)
_LICENCE: Final = re.compile(
    r"permission is hereby granted|apache license\s+version 2|gnu (?:lesser "
    r"|affero )?general public"
    r" license|without warranties? (?:of any kind|or conditions)|without warranty of any kind"
    r"|redistribution and use in source and binary forms|mozilla public license version",
    re.IGNORECASE,
)
_CODE_LINE: Final = re.compile(
    r"^\s*(?:(?:def|class|import|from|return|if|elif|else|for|while|try|except|with"
    r"|fn|func|let|const|var"
    r"|public|private|static|void|int|#include|package|use|struct|enum|async|export"
    r"|echo)\b.*[:;{(\w]$"
    r"|[}\])];?,?$|.*[;{]$|[\w.\[\]\"']+\s*[-+*/]?=\s*\S.*|@\w+|//.*|#!.*|[\w.]+\(.*\)$)"
)
_CODE_NAMES: Final = frozenset(
    """
    .py .js .ts .tsx .jsx .java .c .cc .cpp .h .hpp .rs .go .rb .sh .bash .pl .php .cs .swift
    .kt .scala .r .jl .lua .sql .css .scss .ipynb .toml .ini .cfg .lock .csv .tsv .log .xml
    """.split()
)


def refusal(text: str, path: PurePath) -> str | None:
    """Why `text` is no proposal, as the middle of a sentence; None where it may be one."""
    if path.suffix.lower() in _CODE_NAMES:
        return f"is a {path.suffix.lower()} file, not a proposal"
    if path.suffix.lower() not in (".md", ".rst", ".tex") and _code_share(text) > 0.6:
        return "looks like source code or settings, not a proposal"
    if _code_share(text) > 0.8:
        return "looks like source code or settings, not a proposal"
    found = words(text[:200_000])
    letters = sum(c.isalpha() for c in text)
    if len(found) < 6 and letters < 12:
        return "holds hardly any text"
    if len(_LOREM.findall(text)) > 0.1 * len(found) and "lorem" in found:
        return "is filler text (lorem ipsum)"
    hits = _distinct(found, text)
    if _LICENCE.search(text) and (hits < 8 or len(_LICENCE.findall(text)) > 1):
        return "is a licence text"
    if hits < (NEEDED_TOLD if _tells(text) else NEEDED):
        return "holds no research content (no question, method or study that one could name)"
    if not _runs_in_sentences(text):
        return "holds words but no sentence about research"
    return None


def _tells(text: str) -> bool:
    return any(
        cues(sentence) & {"question", "goal", "method"} for sentence in sentences(text[:20_000])
    )


def _distinct(found: list[str], text: str) -> int:
    """How many different research words `text` holds."""
    vocabulary = " ".join(dict.fromkeys(found))
    tokens = vocabulary.split()
    hits = 0
    for pattern in _PATTERNS:
        if any(pattern.match(token) for token in tokens):
            hits += 1
    return hits + len(set(_CJK.findall(text)))


def _code_share(text: str) -> float:
    lines = [line for line in text.split("\n") if line.strip()]
    return sum(bool(_CODE_LINE.match(line[:300])) for line in lines) / len(lines) if lines else 0.0


def _runs_in_sentences(text: str) -> bool:
    """Whether a known language, or a script without spaces, is recognised in `text`.

    Words drawn at random hold no articles and prepositions, whatever the words are.
    """
    return guess_language(text) != "und"
