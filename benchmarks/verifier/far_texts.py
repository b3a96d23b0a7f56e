"""Ideas from other fields, and from other problems of the same field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Far:
    """One idea."""

    name: str
    mechanism: str
    novelty: str
    risk: str
    more: str


FAR: Final[tuple[Far, ...]] = (
    Far(
        "Furrow irrigation by soil tension",
        "tensiometers buried at two depths open a gate valve whenever the upper layer dries past "
        "thirty centibars, so that maize roots draw water from below before the next furrow is "
        "flooded",
        "growers have so far watered by calendar, whatever the rain did to the clay",
        "salts may rise to the surface where drainage is poor",
        "Plots of maize on clay and on loam are watered by gate valves over two dry seasons, and "
        "grain weight per hectare is held against the water drawn from the canal.",
    ),
    Far(
        "Chloride front in bridge decks",
        "a half-cell electrode is rolled over the concrete deck each spring, and the depth of the "
        "chloride front is read off the slope of potential between neighbouring rebars",
        "inspectors have cored the deck instead, which weakens it",
        "stray current from tramways disturbs the electrode",
        "Six highway decks salted every winter are rolled for five years, and cores from "
        "demolished "
        "spans tell how deep the rust had really gone.",
    ),
    Far(
        "Photometric redshifts of faint dwarfs",
        "narrow filters between the Balmer lines are stacked over ten nights so that dwarf "
        "galaxies "
        "too faint for spectroscopy get a redshift from two colours",
        "surveys have thrown such galaxies away",
        "moonlight in the blue filters biases the colours",
        "A strip of sky with known spectra is observed on a four-metre telescope, and the "
        "scatter of "
        "redshifts is plotted against magnitude.",
    ),
    Far(
        "Queen excluders and swarm timing",
        "hives are weighed every hour and the excluder is lifted once brood warmth and weight gain "
        "part ways, two days before the colony would swarm",
        "beekeepers open the hive each week and chill the brood",
        "a late frost stops the nectar flow and hides the signal",
        "Forty colonies in three orchards are weighed from April to July, and swarms are "
        "counted by "
        "watchers.",
    ),
    Far(
        "Sourdough acidity and crumb",
        "the dough is folded at the moment its acidity crosses a threshold read by a glass "
        "probe, so "
        "that gluten is stretched before the acid cuts it",
        "bakers fold by the clock",
        "rye flour buffers the acid and misleads the probe",
        "Loaves from four mills are baked in one deck oven, and the pores of the crumb are "
        "measured on "
        "slices.",
    ),
    Far(
        "Glacier calving heard under water",
        "hydrophones moored in the fjord time the rumble of each calving event, and the "
        "volume of ice "
        "is had from the length of the low tones",
        "satellites see the front once a week and miss single events",
        "ferries in summer drown the low tones",
        "Two fjords with radar on shore are listened to over a melt season, and volumes by ear are "
        "held against volumes by radar.",
    ),
    Far(
        "Knee load in stair descent",
        "an insole with twelve pressure cells warns the wearer when the heel strikes before "
        "the toe, "
        "which shifts load from the cartilage to the calf",
        "braces stiffen the joint and are left in the drawer",
        "older wearers may stumble over the warning itself",
        "Thirty patients after meniscus surgery walk down a tower of ninety steps twice a "
        "week, and the "
        "moment at the knee is had from cameras.",
    ),
    Far(
        "Tempered glass by cold air curtain",
        "panes leave the furnace through a curtain of cold air whose speed follows the "
        "colour of the "
        "glass, so that the skin hardens before the core",
        "fixed fans leave iron-poor panes too soft",
        "dust in the curtain scratches the skin",
        "Five hundred panes of three thicknesses are broken with a drop hammer, and the "
        "fragments on a "
        "square decimetre are counted.",
    ),
)

NEAR_BY: Final[tuple[Far, ...]] = (
    Far(
        "Morphemes for sign language glosses",
        "glosses of a signed utterance are split into movement and handshape, and a small "
        "transducer "
        "puts them into the order of the spoken language",
        "gloss translation has treated each sign as one token",
        "handshapes differ between regions",
        "Video corpora of two sign languages are glossed anew, and the order of output words "
        "is judged "
        "by native signers.",
    ),
    Far(
        "Stress marks for verse scansion",
        "a tagger marks stressed syllables from a pronouncing dictionary and a beam search "
        "lays the "
        "metre over the line with the fewest exceptions",
        "scansion has relied on rules for each metre",
        "dialect poems follow no dictionary",
        "Sonnets with scholars' scansion are split by century, and agreement is counted by foot.",
    ),
    Far(
        "Parsing tables in annual reports",
        "cells are joined into a graph by alignment of their edges, and header cells are "
        "found as those "
        "from which most paths start",
        "table parsers depend on ruled lines",
        "scanned pages are skewed",
        "Annual reports of two stock exchanges are laid out by hand, and cells put under the wrong "
        "header are counted.",
    ),
    Far(
        "Dialect maps from misspellings",
        "spellings in chat messages are aligned with a phonetic lexicon, and regular "
        "differences are "
        "placed on a map by the sender's town",
        "dialect atlases rest on interviews",
        "young writers copy each other's spelling across regions",
        "Messages from forty towns are mapped and the isoglosses are laid over an atlas of "
        "the sixties.",
    ),
)
