"""How common words are in the abstracts of this field: a prior for rarities.

Share of abstracts, in thousandths, in which an English stem stands; counted over a third of the
ACL Anthology records of 2016 to 2025 and rounded to a few steps. A corpus of some hundred papers
says little about how common a word is; together with this table it says enough.
"""

from __future__ import annotations

from typing import Final

_STEPS: Final[dict[int, str]] = {
    500: ("base languag model paper perform task "),
    350: ("approach data dataset evalu improv learn method propos result show text train "),
    250: (
        "achiev demonstr differ effect experi generat inform larg present set state studi "
        "system work "
    ),
    180: (
        "analysi annot art automat challeng compar develop domain english exist find first "
        "human introduc knowledg machin natur neural new novel outperform predict process "
        "provid recent relat research sentenc signific specif word "
    ),
    120: (
        "accuraci across addit address aim applic avail baselin benchmark better classif combin "
        "consist context corpus describ design detect embed explor extract featur fine focus "
        "framework general high identifi import includ investig label level limit linguist "
        "multi multipl network nlp pre previous problem qualiti question represent requir "
        "resourc score semant sever share sourc structur test transform translat tune "
        "understand various "
    ),
    90: (
        "adapt answer appli architectur attent best build capabl case code complex comput "
        "conduct contain creat cross current depend direct divers document effici encod enhanc "
        "entiti experiment extens final given increas input leverag llms low metric multilingu "
        "name need non obtain open pair particular potenti public reason scale similar speech "
        "strategi supervis target techniqu term time type user util "
    ),
    65: (
        "abil advanc align allow analyz assess augment bert captur classifi collect common "
        "comprehens consid construct content convers corpora deep distribut employ enabl end "
        "error exampl express form graph help incorpor indic infer integr interact issu lack "
        "lead llm manual mean measur number order output part produc prompt rank real recognit "
        "reduc relev reli report repres retriev reveal robust select sequenc shot simpl singl "
        "social standard step strong suggest support token tool transfer way wide world "
    ),
    50: (
        "accur algorithm articl aspect awar becom bias call competit contextu contrast "
        "contribut correct correl crucial decod despit dialogu discuss downstream empir examin "
        "explicit facilit follow four function furthermor futur gap highlight identif impact "
        "insight interest interpret involv joint key lexic long main make mechan media moreov "
        "object observ onlin optim origin parallel paramet pars particip point posit possibl "
        "practic pretrain prior promis rang refer releas remain respect respons role sampl "
        "scenario second self semev sentiment shown size small solut space success summar "
        "syntact take textual topic tradit valid visual zero "
    ),
    35: (
        "abl abstract access accord adopt affect ai amount analys associ autom averag behavior "
        "benefit bleu categori chang chines class communic communiti comparison compon concept "
        "condit continu control correspond cost cover critic de defin deriv descript detail "
        "determin difficult dynam effort emot ensembl essenti estim event evid expert explain "
        "exploit extend fact field found gain german goal good gpt grain ground group guid "
        "handl higher imag implement individu initi instanc instruct known layer lingual link "
        "loss major map match methodolog mitig modal modul multimod negat news offer overal "
        "pattern perspect pipelin platform popular post power precis product progress project "
        "queri rate relationship reliabl rich search short solv span speaker statist submiss "
        "substanti superior tackl tag team typic unsupervis use valu variat varieti vector "
        "weight written year yield "
    ),
    25: (
        "account activ add advantag adversari agent along altern arab area argument assist "
        "attempt attribut beyond boost built candid caus certain charact characterist choic "
        "close coher complet concern connect consider constraint decis deploy difficulti "
        "discours distinct driven edit en encourag engin ensur establish exhibit extern face "
        "factor fail filter five format free french full fulli give global great hand hierarch "
        "ii implicit independ influenc inspir larger length literatur local maintain mask medic "
        "memori mention mine minim mix monolingu morpholog motiv mt nmt one oper organiz orient "
        "paradigm parser peopl person phrase place play pose prefer preserv properti purpos qa "
        "random re read recogn reflect regard review rule scheme segment sens sensit separ serv "
        "signal simultan special spoken stage struggl style sub subject subtask suffer summari "
        "synthet systemat technolog tend top track tree turn tweet under unifi uniqu unit "
        "unseen usual utter vari variabl version view vocabulari web write "
    ),
    18: (
        "action aggreg agreement allevi ambigu appropri approxim argu around artifici ask "
        "assign author avoid balanc bilingu binari bridg care carri categor chain claim clear "
        "clinic cluster co cognit come composit compris confirm constrain convent convolut core "
        "coverag creation curat custom databas deal definit degre depth dictionari digit dimens "
        "disambigu discov discrimin distanc distil distinguish easi easili element emerg enrich "
        "environ expand expect expens explan extent factual far feedback flexibl formal formul "
        "frame frequent fundament gender gold grammar grammat grow hard health idea ignor "
        "impress inher intellig intens intent inter iter judgment kind la last latent le "
        "learner lexicon light linear littl logic lower lstm macro manner margin million modern "
        "modifi narrat necessari ner nois noisi notabl numer occur opinion overcom phenomena "
        "poor probabl probe procedur prove publish qualit quantifi quantit rapid reach recal "
        "receiv recommend record recurr refin regress regular reinforc remark risk roberta "
        "scienc scientif semi seri setup simul situat six smaller spanish start student submit "
        "subset suitabl surpass surpris tempor theoret theori therebi though total transcript "
        "twitter un universal unlabel unlik updat usag valuabl variant verb verifi video vision "
        "weak wikipedia "
    ),
    13: (
        "ablat absolut accept acquir act actual agnost aid appear asr assum assumpt attack "
        "attract audio auxiliari back background basi basic behind benefici besid bidirect "
        "biomed box bring broad calcul capac causal character check classic cnn collabor "
        "comment commonsens complementari compos confid consequ consum convert corefer "
        "crowdsourc cultur date degrad demand desir dialect dialog differenti drop du earli "
        "educ efficaci emphas engag entail entir etc excel extrem fair famili faster fill "
        "finetun fix foundat frequenc fusion generic get gradient gram guidelin hallucin harm "
        "hate head henc heurist hidden highest hindi histor histori hope hybrid hypothes "
        "hypothesi illustr implic inconsist induc induct industri interfac intermedi internal "
        "intrins intuit item japanes keep latter led legal like line list llama lms locat look "
        "manag massiv materi meaning messag meta miss most nativ near next normal noun nuanc "
        "offens offici opportun outcom overlap overlook overview paraphras partial passag past "
        "path patient phase phenomenon plan plms polici polit pos preliminari prevent primari "
        "primarili principl program promot proper pseudo rais rare realist reduct region remov "
        "replac reproduc resolut resolv restrict run russian scalabl scarciti script seek seen "
        "sequenti servic shift simplifi skill sota speed stori strength subsequ suffici suit "
        "surfac survey syntax tabl tailor teacher templat third thought treat treebank tri "
        "truth typolog unstructur whole wmt workshop "
    ),
    9: (
        "adjust age almost alon alreadi believ bi boundari caption central ces cet cett chat "
        "chatgpt choos compet compress conclud configur constitu convey counterpart craft "
        "criteria cue decompos decreas dens dimension discoveri distant diverg divid domin draw "
        "dual edg encount equal equival evolv exact execut fals fast feasibl fewer financi fit "
        "forward game generaliz genr go granular heavili heterogen hinder ident inclus "
        "incorrect increment inject innov insuffici intend intervent italian judg keyword know "
        "largest leaderboard life lightweight lm longer mark maxim meet mental moder newli nli "
        "node note occurr outlin paragraph perceiv percept perturb plus polar preprocess "
        "presenc preval privaci profession propag proven raw readabl reader reconstruct retain "
        "reward right rnn roug scarc schema scope seven showcas side simpli simplif softwar "
        "sole spars specifi split statement store switch symbol tamil taxonomi technic thorough "
        "trade transit trend true uncertainti unclear underscor vast verif voic wordnet xlm "
    ),
}

FIELD_SHARE: Final[dict[str, float]] = {
    stem: thousandths / 1000 for thousandths, stems in _STEPS.items() for stem in stems.split()
}
"""Stem → share of abstracts that hold it. A stem that is not listed stands in under 0.85%."""
