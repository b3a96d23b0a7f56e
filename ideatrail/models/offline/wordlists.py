"""Words by what they tell: of the field, of any abstract, of a brief, of a topic."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ideatrail.trail.text import stem, words

BRIEF: Final = frozenset(
    """
    question questions research researcher interested interest look looking find finding study
    studying explore exploring understand understanding investigate investigating want know
    knowing help please paper papers work works working idea ideas topic direction problem
    problems literature recent whether could would like begin start survey existing propose
    proposed aim goal think thinking figure possible concrete new project proposal currently
    today field area make making get getting try trying come comes give gives given tell tells
    say says mean means need needs see seen way ways thing things someone anything something
    first second good better best one kind kinds sort real take takes taken keep keeps let go
    goes going case cases often much many part parts matter matters happen happens seem seems
    actually simply mostly usually current common widely prior previous reliably read reading
    review promising developed develop next clear clearly made extra outside own same amount
    spend spent hard easy hurting signal looks all alike stated each wants use usable call
    called while others whole per among hardly based sometimes never
    """.split()
)
"""Words of a brief that say nothing of its topic."""


GENERIC: Final = frozenset(
    """
    paper papers work works approach approaches method methods result results show shows shown
    showing propose proposes proposed present presents presented introduce introduces introduced
    novel new existing recent recently previous prior various different several important
    significant significantly experiment experiments experimental demonstrate demonstrates
    demonstrated find finds found finding findings achieve achieves achieved improve improves
    improved improving improvement improvements performance state-of-the-art state art
    outperform outperforms outperformed study studies based provide provides provided address
    addresses addressed explore explores explored investigate investigates investigated analysis
    analyses analyze use used uses using effective effectiveness efficient good better best high
    higher large larger low lower well known first second two three one many number set sets way
    ways case cases order able allow allows require requires required requiring need needs
    needed develop develops developed framework frameworks system systems problem problems task
    tasks available code data dataset datasets github https com www publicly release released
    make makes including include includes included compared comparison suggest suggests
    particular particularly specifically general generally potential further future aim aims
    focus focuses focused consider considers considered given e.g i.e etc et al common
    additional respectively lead leads leading led open simple strong rich key main major real
    extensive comprehensive challenging challenge challenges crucial essential popular promising
    help helps helped obtain obtains obtained yield yields create created creates creating apply
    applied applies report reports reported reveal reveals evaluate evaluates evaluated overall
    remain remains remaining called namely wide widely range variety becomes become despite due
    perform performs performed performing offer offers enable enables enabled enabling against
    tackle tackles solve solves solving describe describes described discuss discusses hope
    believe setting settings scenario scenarios aspect aspects perspective insight insights
    total across abstract summary authors author nothing appears says whether left leave leaves
    possible solution solutions novelty novelties manner paradigm paradigms technique techniques
    textual tricks trick mechanism mechanisms thing things proposal proposals
    """.split()
)
"""Words that any abstract may hold; a key phrase neither starts nor ends with one."""


VERBS: Final = frozenset(
    """
    is are was were be been being has have had do does did can could may might must should will
    would shall contain contains rely relies consist consists learn learns take takes taken keep
    keeps get gets follow follows struggle struggles suffer suffers lack lacks fail fails become
    exhibit exhibits involve involves capture captures combine combines encourage encourages
    seem seems hinder hinders arise arises exist exists differ differs affect affects produce
    produces select selects predict predicts measure measures depend depends treat treats turn
    turns compare compares examine examines argue argues conduct conducts employ employs
    leverage leverages utilize utilizes adopt adopts design designs build builds identify
    identifies answer answers ask asks asked think tells tell give gives gave made guide guides
    drive drives collect collects trained train trains tested steer tends tend say says said
    grade cause causes spend spends solve solves reproduce reproduces handle handles adapt
    adapts share shares sometimes never reach reaches help change changes hurt hurts exploit
    exploited spreading spread attend attends allow cover covers support supports occur occurs
    assign assigns map maps infer infers detect detects receive receives connect connects raise
    raises shed sheds propagate propagates facilitate am concentrate generate generates reduce
    reduces reduced explain explains recognise recognize relate relates relating improve
    improves enhance enhances presuppose presupposes lend lends belong belongs mix mixes lose
    loses win wins reveal reveals incorporate incorporates investigate investigating ensure
    ensuring understand mitigate mitigates bring brings come comes fall falls cost costs stay
    stays leave leaves hold holds appear appears across per via among within toward towards
    along versus supply supplies object objects vary varies suffice show shows shown serve
    serves become gain gains carry carries join joins mean means turn test tests cut cuts
    utilizing utilising providing proposing leveraging employing incorporating introducing applying
    considering performing using making formulate formulates formulating extract extracts extracting
    protect protects achieve achieving building creating designing developing exploring evaluating
    analyzing identifying addressing improving reducing enhancing
    """.split()
)


FIELD: Final = frozenset(
    """
    model models language languages neural large pre-trained pretrained training train data
    learning learn natural processing nlp deep machine text texts network networks llm llms
    fine-tuning word words sentence sentences human humans quality generation generative
    experiments trained transformer transformers representation representations input inputs
    output outputs parameters information application applications algorithm process domain
    domains knowledge research step steps example examples type types level levels feature
    features user users time content size sizes dominant zero shot few unsupervised supervised
    prompting prompts form forms source sources corpus corpora benchmark benchmarks evaluation
    """.split()
)
"""Words that say which field one is in, but not what one asks of it."""


FIELD_STEMS: Final = frozenset(stem(w) for token in (FIELD | GENERIC) for w in words(token))


@lru_cache(maxsize=4096)
def is_field(one: str) -> bool:
    return one in FIELD_STEMS


PREFIXES: Final = frozenset("self non multi cross pre re co sub inter intra semi un anti".split())
