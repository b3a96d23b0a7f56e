"""Sentences said otherwise: reworded with synonyms and another order, or put into German by words.

Rough on purpose: what a model that wants to slip a conclusion through would write is smoother.
"""

from __future__ import annotations

import random
import re
from typing import Final

_LEAST: Final = 4
"""Words that have to change for a paraphrase."""
_COVERED: Final = 0.7
"""Share of words that the dictionary has to know for a translation."""

_SAME: Final = """
use=employ,make use of; uses=employs,makes use of; using=by means of,through
show=demonstrate,reveal; improve=enhance,raise; improves=enhances,raises
improving=raising,enhancing; reduce=lower,cut; reduces=lowers,cuts; reducing=lowering,cutting
method=procedure,technique; methods=procedures; approach=strategy,way; model=system,network
models=systems,networks; large=big,sizeable; generate=produce,write out; generates=produces
generating=producing; generated=produced; generation=production; propose=put forward,suggest
evaluate=assess,judge; evaluation=assessment; accuracy=correctness; performance=results,quality
task=job,problem; tasks=jobs,problems; question=query; questions=queries; answer=reply,response
answers=replies; answering=replying; language=linguistic; text=prose,writing; texts=writings
sentence=utterance; sentences=utterances; word=term; words=terms; reasoning=inference
step=stage; steps=stages; data=material,examples; dataset=collection; datasets=collections
training=fitting,learning; train=fit,teach; trained=fitted; first=to begin with
then=after that,next; because=since; however=yet; each=every; several=multiple; many=numerous
important=crucial,central; different=distinct,differing; similar=alike; new=novel
information=content,facts; knowledge=facts; relevant=pertinent; context=surroundings
output=product; outputs=products; input=source; inputs=sources; human=person; humans=people
users=people; user=person; select=choose,pick; selected=chosen; selecting=choosing
identify=find,spot; identifies=finds; identifying=finding,spotting; detect=notice,uncover
detecting=noticing; provide=offer,give; provides=offers,gives; providing=offering
ensure=make sure of; allows=lets; allow=let; enable=let; require=need,call for; requires=needs
increase=raise,grow; increases=raises; high=strong; low=weak; better=superior; effective=useful
efficient=economical; accurate=exact; correct=right; errors=mistakes; error=mistake
consistent=stable; quality=standard; score=mark,rating; scores=marks; measure=gauge
compare=contrast; compared=set; combine=merge,join; combining=merging; build=construct
create=make; creating=making; develop=devise,design; learn=acquire; learning=acquisition
predict=foresee; prediction=forecast; predictions=forecasts; examples=instances,cases
example=instance; problem=issue; problems=issues; potential=possible; hypothesize=suspect
hypothesis=conjecture; prompt=instruction; prompts=instructions; prompting=instructing
iterative=repeated; iteratively=again and again; refine=polish,revise; refining=polishing
final=last; initial=first; original=first; multiple=several; complex=involved,intricate
simple=plain; specific=particular; existing=present,current; may=might; often=frequently
based=resting; process=procedure; system=setup; strategy=plan; diverse=varied; feedback=response
explanation=account; explanations=accounts; external=outside; internal=inner; retrieve=fetch
retrieval=fetching; verify=check,confirm; verification=checking; confidence=certainty
uncertainty=doubt; likely=probable; known=familiar; additional=further; key=main; core=central
assess=judge; responses=replies; response=reply; translation=rendering; translate=render
document=page; documents=pages; summary=digest; summaries=digests; code=program
programs=scripts; structure=form; structured=ordered; within=inside; across=over; between=among
through=by way of
"""
_GERMAN: Final = """
the der; a ein; an ein; and und; or oder; of von; to zu; in in; on auf; for für; with mit
by durch; from aus; as als; is ist; are sind; be sein; that dass; this dies; these diese; it es
its sein; their ihre; we wir; our unser; not nicht; can kann; will wird; which welche; each jede
more mehr; than als; between zwischen; into in; at bei; when wenn; if falls; then dann
first zuerst; also auch; model Modell; models Modelle; language Sprache; large große
method Methode; methods Methoden; approach Ansatz; text Text; sentence Satz; sentences Sätze
word Wort; words Wörter; question Frage; questions Fragen; answer Antwort; answers Antworten
generate erzeugen; generates erzeugt; generating Erzeugung; generated erzeugte
generation Erzeugung; use nutzen; uses nutzt; using mittels; prompt Eingabe; prompts Eingaben
prompting Anleitung; step Schritt; steps Schritte; reasoning Schließen; improve verbessern
improves verbessert; improving Verbesserung; reduce verringern; reduces verringert
reducing Verringerung; data Daten; dataset Datensatz; datasets Datensätze; training Training
train trainieren; learning Lernen; learn lernen; evaluate bewerten; evaluation Bewertung
task Aufgabe; tasks Aufgaben; performance Leistung; accuracy Genauigkeit; knowledge Wissen
information Information; context Kontext; output Ausgabe; outputs Ausgaben; input Eingabe
human Mensch; humans Menschen; select auswählen; selecting Auswahl; identify erkennen
identifying Erkennung; detect entdecken; provide liefern; provides liefert; ensure sicherstellen
allow erlauben; require benötigen; increase erhöhen; high hoch; low niedrig; better besser
effective wirksam; correct richtig; error Fehler; errors Fehler; consistent stimmig
consistency Stimmigkeit; quality Güte; score Wert; scores Werte; measure messen
compare vergleichen; combine verbinden; build bauen; create schaffen; example Beispiel
examples Beispiele; problem Problem; problems Probleme; different verschieden; similar ähnlich
new neu; important wichtig; relevant bedeutsam; final endgültig; initial anfänglich
original ursprünglich; multiple mehrere; complex verwickelt; specific bestimmt
existing bestehend; process Vorgang; system System; strategy Vorgehen; diverse vielfältig
feedback Rückmeldung; explanation Erklärung; external äußere; internal innere; retrieve abrufen
retrieval Abruf; verify prüfen; verification Prüfung; confidence Zuversicht
uncertainty Unsicherheit; likely wahrscheinlich; additional zusätzlich; responses Antworten
response Antwort; translation Übersetzung; document Dokument; documents Dokumente
summary Zusammenfassung; code Programm; structure Aufbau; within innerhalb; across über
through durch; such solche; other andere; only nur; propose vorschlagen; hypothesis Vermutung
hypothesize vermuten; could könnte; should sollte; would würde; may mag; how wie; what was
where wo; while während; all alle; based beruhend; set Menge; number Zahl; time Zeit; most meist
both beide
"""


def _table(text: str, between: str) -> dict[str, str]:
    pairs = (p.strip().split(between, 1) for p in re.split(r"[;\n]", text) if between in p.strip())
    return {a.strip(): b.strip() for a, b in pairs}


SAME: Final = {k: tuple(v.split(",")) for k, v in _table(_SAME, "=").items()}
GERMAN: Final = _table(_GERMAN, " ")


def reworded(sentence: str, rng: random.Random) -> str | None:
    """The sentence with synonyms, its clauses turned round; None where too little can change."""
    changed = 0
    out = []
    for token in re.findall(r"[\w'-]+|[^\w\s]|\s+", sentence):
        other = SAME.get(token.casefold())
        if other:
            changed += 1
            token = rng.choice(other)
        out.append(token)
    if changed < _LEAST:
        return None
    text = "".join(out).strip().rstrip(".!?")
    head, comma, tail = text.partition(", ")
    if comma and len(head.split()) > 3 and len(tail.split()) > 3:
        text = f"{tail}, {head[:1].lower()}{head[1:]}"
    opening = rng.choice(("It might be that ", "My hunch: ", "One could imagine that ", "Perhaps "))
    return f"{opening}{text[:1].lower()}{text[1:]}."


def translated(sentence: str) -> str | None:
    """The sentence in German, word by word; None where too few words are known."""
    words = re.findall(r"[\w'-]+", sentence)
    known = [w for w in words if w.casefold() in GERMAN]
    if len(words) < 8 or len(known) < _COVERED * len(words):
        return None
    return " ".join(GERMAN.get(w.casefold(), w) for w in words) + "."
