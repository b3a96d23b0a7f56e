"""`--portrait auto`: the target's first author, as the papers up to the cutoff show them.

Target, and what tells of it, are left out by construction. What the portrait rests on is kept on
the Advisor's side; the Generator reads the text alone.
"""

from __future__ import annotations

from dataclasses import replace

from ideatrail.evidence.withheld import Withheld
from ideatrail.models.ledger import UsageLedger
from ideatrail.nodes.rooms import InputRefused
from ideatrail.portraits.authors import Hint
from ideatrail.portraits.distil import Sitter, distil
from ideatrail.portraits.portrait import Portrait
from ideatrail.portraits.shelf import PortraitError
from ideatrail.run.inputs import Inputs, direction_gate, portraitist
from ideatrail.run.shared import Shared
from ideatrail.trail.oracle import Oracle


async def auto_portrait(
    inputs: Inputs, withheld: Withheld, shared: Shared, usage: UsageLedger
) -> Portrait:
    """Distil it. What it uses goes into `usage`.

    Raises:
        InputRefused: the target's authors are not known, or nothing can be said of the first.
        ModelError: the model gave no answer.
    """
    authors = [str(name) for name in (inputs.paper or {}).get("authors", ())]
    if not authors:
        raise InputRefused(
            "--portrait auto: the target's authors are not known; name the target by --target, as "
            "a paper of the corpus or a file with its authors, or give --portrait a file"
        )
    topic = " ".join(str((inputs.paper or {}).get(key, "")) for key in ("title", "abstract"))
    pen = portraitist(inputs.settings, shared)
    # The oracle is not built yet: what tells of it is taken out when the direction is written.
    nothing = Oracle(atoms=[], locks=[])
    try:
        return await distil(
            Sitter(
                authors[0],
                inputs.cutoff,
                withheld,
                Hint(topic=topic, coauthors=tuple(authors[1:])),
            ),
            inputs.corpus,
            replace(pen, usage=usage, base_seed=inputs.base_seed),
            direction=direction_gate(
                shared.lexicon(inputs.corpus), inputs.cutoff, withheld, nothing
            ),
            made_by={"model": inputs.settings.advisor_model},
        )
    except PortraitError as error:
        raise InputRefused(f"--portrait auto: {error}") from error
