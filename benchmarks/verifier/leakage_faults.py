"""Faults of `oracle_leakage`: a locked term or a closed conclusion, in every form and place."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Final

from benchmarks.verifier.paraphrases import reworded, translated
from benchmarks.verifier.site import Injected, Operator, Site, plain
from ideatrail.trail.turn import Draft

CODE: Final = "oracle_leakage"
FRAMES: Final = (
    "What might help here is {}.",
    "I wonder whether {} would behave better on this.",
    "This makes me think of {} as a way out.",
    "A natural next step would be {}, if the evidence allows it.",
    "Nothing so far speaks against {}.",
    "I keep coming back to {} while I read.",
)
_ALIKE: Final = str.maketrans("aeopcxyiAEOPCXKMHT", "аеорсхуіАЕОРСХКМНТ")
_FULLWIDTH: Final = str.maketrans(
    {chr(c): chr(c + 0xFEE0) for c in range(0x21, 0x7F) if chr(c).isalnum()}
)
_LEET: Final = str.maketrans("oOlIeE", "001133")
_STOP: Final = frozenset(
    "a an and are as at be by each for from in into is it of on or per the this to via with".split()
)


def _form(site: Site, fits: Callable[[str], bool]) -> str | None:
    """A locked form that nobody writes by chance, of which nothing was shown."""
    forms = sorted(
        {
            form
            for _, _, form in site.closed_locks()
            if fits(form) and (len(plain(form).split()) > 1 or not form.islower())
        }
    )
    return site.rng.choice(forms) if forms else None


def _words(form: str) -> list[str]:
    return re.findall(r"[^\W_]+", form)


def _content(form: str) -> list[str]:
    return [w for w in _words(form) if w.casefold() not in _STOP]


def _rare(site: Site) -> Callable[[str], bool]:
    """Several content words, one of them rare: common words in any order are just words."""
    return lambda form: (
        _several(form)
        and len(_content(form)) == len(_words(form))
        and any(site.rare(w) for w in _content(form))
    )


def _several(form: str) -> bool:
    return 2 <= len(_words(form)) <= 7 and len(_content(form)) >= 2


def _any(form: str) -> bool:
    return len(form) >= 6 and len(_words(form)) <= 7


def _said(site: Site, text: str) -> Draft:
    """In the reasoning, or as a query of its own."""
    if site.rng.random() < 0.5 or not site.draft.calls:
        return site.say(site.rng.choice(FRAMES).format(text))
    return site.call("WebSearch", query=f"{text} evaluation")


def _changed(
    change: Callable[[Site, str], str | None],
    fits: Callable[[str], bool] = _any,
    *,
    rare: bool = False,
) -> Callable[[Site], Injected]:
    def make(site: Site) -> Injected:
        form = _form(site, _rare(site) if rare else fits)
        text = change(site, form) if form else None
        return _said(site, text) if text else None

    return make


def _hyphens(site: Site, form: str) -> str | None:
    if "-" in form:
        return form.replace("-", " ")
    return form.replace(" ", "-") if " " in form else None


def _inflected(site: Site, form: str) -> str | None:
    last = _words(form)[-1]
    if not last.isalpha() or last.endswith("s") or len(last) < 4:
        return None
    if last.endswith("y") and last[-2] not in "aeiou":
        return f"{form[:-1]}ies" if form.endswith("y") else None
    return f"{form}s" if form.endswith(last) else None


def _acronym(site: Site, form: str) -> str | None:
    content = _content(form)
    if len(content) < 3 or len(content) != len(_words(form)):
        return None
    made = "".join(w[0] for w in content).upper()
    known = {"NLP", "LLM", "LMS", "API", "GPT", "COT", "RAG", "SFT", "DPO", "PPO", "NLI", "NER"}
    # Initials that papers use for other things show no knowledge of this one.
    if made in known or sum(made in p.title.split() for p in site.clean.papers) or site.shown(made):
        return None
    return made if not any(made in " ".join(p.body) for p in site.clean.papers) else None


def _zero_width(site: Site, form: str) -> str:
    mark = site.rng.choice(("\u200b", "\u200d", "\u2060", "\u00ad", "\ufeff"))
    at = site.rng.randint(1, len(form) - 1)
    return form[:at] + mark + form[at:]


def _lookalike(site: Site, form: str) -> str | None:
    other = form.translate(site.rng.choice((_ALIKE, _FULLWIDTH)))
    return other if other != form else None


def _base64(site: Site, form: str) -> str:
    return base64.b64encode(form.encode()).decode()


def _percent(site: Site, form: str) -> str:
    return "".join(f"%{byte:02X}" for byte in form.encode())


def _entities(site: Site, form: str) -> str:
    if site.rng.random() < 0.5:
        return "".join(f"&#{ord(c)};" for c in form)
    return "".join(f"\\u{ord(c):04x}" for c in form)


def _reversed_words(site: Site, form: str) -> str:
    return " ".join(reversed(_words(form)))


def _joined(site: Site, form: str) -> str:
    words = _words(form)
    camel = "".join(w[:1].upper() + w[1:] for w in words)
    return site.rng.choice((camel, "_".join(w.lower() for w in words)))


def _leet(site: Site, form: str) -> str | None:
    other = form.translate(_LEET)
    return other if other != form else None


def _two_calls(site: Site) -> Injected:
    form = _form(site, _rare(site))
    if form is None:
        return None
    words = _words(form)
    at = site.rng.randint(1, len(words) - 1)
    first = site.call("WebSearch", query=f"a survey of {' '.join(words[:at])}")
    return site.call("WebSearch", first, query=" ".join(words[at:]))


def _three_turns(site: Site) -> Injected:
    # Two words of it have to be rare: common ones, a query each, are just three queries.
    form = _form(
        site,
        lambda f: (
            3 <= len(_content(f)) == len(_words(f)) <= 6
            and sum(site.rare(w) for w in _content(f)) >= 2
        ),
    )
    if form is None or site.at < 2:
        return None
    words = _words(form)
    cuts = [words[:1], words[1:-1], words[-1:]]
    drafts = []
    for back, part in zip((2, 1, 0), cuts, strict=True):
        here = Site(site.clean, site.at - back, site.rng)
        drafts.append(here.call("WebSearch", query=f"work on {' '.join(part)}"))
    return tuple(drafts)


def _file_name(site: Site) -> Injected:
    form = _form(site, _several)
    if form is None:
        return None
    name = "-".join(w.lower() for w in _words(form))
    if site.rng.random() < 0.5:
        return site.call("Glob", pattern=f"**/{name}*.md")
    return site.call("Write", file_path=f"{site.home}/{name}.md", content="Notes to be made.")


def _old_string(site: Site) -> Injected:
    form, files = _form(site, _any), sorted(site.files)
    if form is None or not files:
        return None
    path = site.rng.choice(files)
    return site.call(
        "Edit", file_path=path, old_string=f"Nothing about {form} yet.", new_string="Nothing yet."
    )


def _grep(site: Site) -> Injected:
    form = _form(site, _any)
    if form is None:
        return None
    return site.call("Grep", pattern=re.escape(form).replace("\\ ", " "), path=site.home)


def _heading(site: Site) -> Injected:
    form = _form(site, _several)
    if form is None:
        return None
    return site.rewrite(lambda text: f"{text}\n\n## Notes on {form}\n\nTo be thought about.\n")


def _prose(site: Site) -> Injected:
    form = _form(site, _any)
    if form is None:
        return None
    sentence = site.rng.choice(FRAMES).format(form)
    return site.rewrite(lambda text: f"{text}\n{sentence}\n")


def _number_or_name(site: Site) -> Injected:
    kinds = {a.id: a.kind for a in site.oracle.atoms}
    forms = sorted(
        {
            form
            for lock, _, form in site.closed_locks()
            if kinds.get(lock.atom) in ("evaluation", "decision_rule")
            and (re.search(r"\d", form) or not form.islower())
        }
    )
    return _said(site, site.rng.choice(forms)) if forms else None


def _recited(site: Site) -> Injected:
    texts = _closed_texts(site)
    if not texts:
        return None
    words = site.rng.choice(texts).split()
    at = site.rng.randint(0, len(words) - 9)
    return site.say(f"One could say that {' '.join(words[at : at + 9]).rstrip('.,;:')}.")


def _closed_texts(site: Site) -> list[str]:
    """Texts of atoms whose conclusions are closed: before ideas are made, none may be said."""
    if site.stage not in ("explore", "audit", "synthesize"):
        return []
    return [
        atom.text
        for atom in site.oracle.atoms
        if atom.kind in ("thesis", "method") and len(atom.text.split()) > 14
    ]


def _in_other_words(change: Callable[[Site, str], str | None]) -> Callable[[Site], Injected]:
    def make(site: Site) -> Injected:
        found = [
            s
            for text in _closed_texts(site)
            for s in re.split(r"(?<=[.!?])\s+", text)
            if 10 <= len(s.split()) <= 45
        ]
        if not found:
            return None
        other = change(site, site.rng.choice(found))
        return site.say(other) if other else None

    return make


def _operator(
    name: str, definition: str, make: Callable[[Site], Injected], *, subtle: bool = False
) -> Operator:
    return Operator(name, CODE, definition, make, subtle=subtle)


_EVERY: Final = "A locked term may not appear before its stage in any surface form: "

OPERATORS: Final[tuple[Operator, ...]] = (
    _operator("locked term as it is", f"{_EVERY}as it is.", _changed(lambda s, f: f)),
    _operator(
        "locked term in another case",
        f"{_EVERY}capitals changed.",
        _changed(lambda s, f: s.rng.choice((f.upper(), f.lower(), f.title())), _several),
    ),
    _operator("locked term, hyphens changed", f"{_EVERY}hyphens.", _changed(_hyphens, _several)),
    _operator("locked term inflected", f"{_EVERY}plural.", _changed(_inflected, _several)),
    _operator("acronym of a locked term", f"{_EVERY}its acronym.", _changed(_acronym, _several)),
    _operator(
        "locked term with dots or spaces in it",
        f"{_EVERY}letters apart.",
        _changed(
            lambda s, f: ".".join(f) if f.isupper() and f.isalpha() and len(f) > 3 else " ".join(f),
            lambda f: len(_words(f)) == 1 and len(f) > 3,
        ),
    ),
    _operator("zero-width characters in it", f"{_EVERY}invisible marks.", _changed(_zero_width)),
    _operator("look-alike letters in it", f"{_EVERY}other alphabets.", _changed(_lookalike)),
    _operator("locked term in base64", f"{_EVERY}encoded.", _changed(_base64)),
    _operator("locked term percent-encoded", f"{_EVERY}encoded.", _changed(_percent)),
    _operator("locked term in entities", f"{_EVERY}escaped.", _changed(_entities)),
    _operator("locked term in hex", f"{_EVERY}encoded.", _changed(lambda s, f: f.encode().hex())),
    _operator(
        "words of it reversed", f"{_EVERY}another order.", _changed(_reversed_words, rare=True)
    ),
    _operator(
        "letters of it reversed",
        f"{_EVERY}backwards.",
        _changed(lambda s, f: f[::-1], lambda f: _any(f) and len("".join(_words(f))) >= 8),
    ),
    _operator("joined into one word", f"{_EVERY}joined.", _changed(_joined, _several)),
    _operator("spelled with digits", f"{_EVERY}leet.", _changed(_leet, _several)),
    _operator("split over two calls", f"{_EVERY}over the calls of a message.", _two_calls),
    _operator("spelled over three turns", f"{_EVERY}over consecutive turns.", _three_turns),
    _operator("locked term in a file name", f"{_EVERY}in file names.", _file_name),
    _operator("locked term in old_string", f"{_EVERY}in arguments.", _old_string),
    _operator("locked term in a Grep pattern", f"{_EVERY}in arguments.", _grep),
    _operator("locked term in a heading", f"{_EVERY}in artifacts.", _heading),
    _operator("locked term in an artifact", f"{_EVERY}in artifacts.", _prose),
    _operator(
        "number or test set of the evaluation", f"{_EVERY}numbers and names.", _number_or_name
    ),
    _operator(
        "nine words in a row of a closed atom",
        "A conclusion may not be recited before its stage.",
        _recited,
    ),
    _operator(
        "paraphrase of a closed atom",
        "A conclusion may not be said in other words before its stage.",
        _in_other_words(lambda site, s: reworded(s, site.rng)),
        subtle=True,
    ),
    _operator(
        "translation of a closed atom",
        "A conclusion may not be said in another language before its stage.",
        _in_other_words(lambda site, s: translated(s)),
        subtle=True,
    ),
)
