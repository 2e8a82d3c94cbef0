"""The words by which somebody who knows a language's glossary alone can read its verdicts.

They come from ``docs/languages`` and never from the modules of `scoring.wording.languages`, so that a word that has
changed there is noticed here. Each is a pattern, since many languages bend their words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Glossary:
    """What a reader of one language knows."""

    rows: Mapping[str, str]
    hands: Mapping[str, str]
    """Hands by their names, in the order in which a reader looks for them: a straight flush before a straight."""
    ranks: Mapping[int, str]
    stronger: str
    """What stands between two things, or about them, of which the first is the stronger."""
    weaker: str
    """The same if the first is the weaker. No sentence says it so, and one that did could still be read."""
    equal: str
    foul: str
    legal: str
    kicker: str
    """That only the longer row has a further card."""
    no_low: str
    classes: Mapping[str, str] = field(default_factory=dict)
    """Hands as classes, where they are not named as a hand is: ``a high card``, but ``Ace high``."""
    of_ranks: str = r"(?!)"
    """What says that a clause compares ranks, where their plurals are also names of hands."""


def _ranks(*patterns: str) -> dict[int, str]:
    """Patterns from the two to the ace."""
    return dict(enumerate(patterns, start=2))


def _words(*forms: str) -> dict[int, str]:
    """Ranks, each by the words of one text, from the two to the ace."""
    return _ranks(*[rf"\b(?:{'|'.join(each.split())})\b" for each in forms])


_FIGURES: Final = _ranks(*"23456789", "10", *"JQKA")

ENGLISH: Final = Glossary(
    rows={"front": r"\bfront\b", "middle": r"\bmiddle\b", "back": r"\bback\b"},
    hands={
        "low": r"-high low",
        "royal-flush": "royal flush",
        "straight-flush": "straight flush",
        "five-of-a-kind": "five of a kind",
        "full-house": "full house",
        "quads": "quads",
        "flush": "flush",
        "straight": "straight",
        "trips": "trips",
        "two-pair": "two pair",
        "pair": r"\bpair\b",
        "high-card": r"\bhigh\b",
    },
    classes={"high-card": "high card"},
    ranks=_words(
        "two twos", "three threes", "four fours", "five fives", "six sixes", "seven sevens", "eight eights",
        "nine nines", "ten tens", "jack jacks", "queen queens", "king kings", "ace aces",
    ),
    stronger=r"\boutranks\b|\bbeats?\b",
    weaker=r"\bloses? to\b",
    equal=r"\bare equal\b",
    foul=r"\bfoul\b",
    legal=r"\blegal\b",
    kicker=r"\bextra kicker\b",
    no_low=r"isn't a 2-7 low",
)  # fmt: skip

GERMAN: Final = Glossary(
    rows={"front": r"\bfront\b", "middle": r"\bmiddle\b", "back": r"\bback\b"},
    hands={
        "low": r"(?<=er)-low",
        "royal-flush": "royal flush",
        "straight-flush": "straight flush",
        "five-of-a-kind": "fünfling",
        "full-house": "full house",
        "quads": "vierling",
        "flush": r"\bflush\b",
        "straight": r"\bstraße\b",
        "trips": "drilling",
        "two-pair": "zwei paare",
        "pair": r"\bpaar\b",
        "high-card": r"\bhoch\b",
    },
    classes={"high-card": "high card"},
    ranks=_words(
        "zwei zweien", "drei dreien", "vier vieren", "fünf fünfen", "sechs sechsen", "sieben siebenen siebener",
        "acht achten achter", "neun neunen neuner", "zehn zehnen zehner", "bube buben", "dame damen",
        "könig könige königen", "ass asse assen",
    ),
    stronger=r"\bstärker als\b|\bschlägt\b|\bschlagen\b",
    weaker=r"\bschwächer als\b|\bunterliegt\b|\bunterliegen\b",
    equal=r"\bsind gleich stark\b",
    foul=r"\bfoul\b",
    legal=r"\berlaubt\b|\bgültig\b",
    kicker=r"\bkicker mehr\b",
    no_low="kein 2-7-low",
)  # fmt: skip

SPANISH: Final = Glossary(
    rows={"front": r"\barriba\b", "middle": r"\bmedio\b", "back": r"\babajo\b"},
    hands={
        "low": "jugada baja",
        "royal-flush": "escalera real",
        "straight-flush": "escalera de color",
        "five-of-a-kind": r"\bcinco iguales\b|\bcinco cartas iguales\b|\bcinco(?= \w+s\b)",
        "full-house": r"\bfull\b",
        "quads": r"\bpóker\b",
        "flush": r"\bcolor\b",
        "straight": r"\bescalera\b",
        "trips": r"\btrío\b",
        "two-pair": "doble pareja",
        "pair": r"\bpareja\b",
        "high-card": r"\balt[ao]\b",
    },
    classes={"high-card": "carta alta"},
    ranks=_words(
        "dos doses", "tres treses", "cuatro cuatros", "cinco cincos", "seis seises", "siete sietes", "ocho ochos",
        "nueve nueves", "diez dieces", "jota jotas", "dama damas", "rey reyes", "as ases",
    ),
    stronger=r"\bsupera\b|\bganan?\b",
    weaker=r"\bpierden?\b",
    equal=r"\bson iguales, ambas\b",
    foul=r"\bfoul\b",
    legal=r"\blegal\b",
    kicker=r"\bun kicker más\b",
    no_low="no es una jugada baja 2-7",
)  # fmt: skip

FINNISH: Final = Glossary(
    rows={"front": r"\beturivi", "middle": r"\bkeskirivi", "back": r"\btakarivi"},
    hands={
        "low": "-low",
        "royal-flush": "kuningasvärisuora",
        "straight-flush": "värisuora",
        "five-of-a-kind": r"\bviisi samaa\b|\bviisi\b",
        "full-house": r"täyskä\w+",
        "quads": r"\bneljä\b",
        "flush": r"väri\b",
        "straight": r"\bsuora\b",
        "trips": r"\bkolme\b",
        "two-pair": "kaksi paria",
        "pair": r"pari\b",
        "high-card": r"hai\b",
    },
    classes={
        "straight-flush": r"värisuora\w*",
        "flush": r"\bväri\w*",
        "straight": r"\bsuora\w*",
        "quads": r"\bneloset\b",
        "trips": r"\bkolmoset\b",
        "pair": r"\bpari\w*",
        "high-card": r"\bkorkei\w+ korti?t?\w*",
    },
    ranks=_ranks(
        r"\bkakko[sn]\w*", r"\bkolmo[sn]\w*", r"\bnelo[sn]\w*", r"\bvito[sn]\w*", r"\bkuto[sn]\w*",
        r"\bseisk\w*|\bseisko\w*", r"\bkas[ie]\w*", r"\bys[ie]\w*", r"\bkym(?:pp|p)\w*", r"\bjätk\w*", r"\brouv\w*",
        r"\bkunin[gk]\w*", r"\bäss\w*",
    ),
    stronger=r"\bvahvempi kuin\b|\bvoitta\w+\b|\bsuurempia kuin\b",
    weaker=r"\bheikompi kuin\b|\bhäviä\w+\b|\bpienempiä kuin\b",
    equal=r"\bovat tasan\b",
    foul=r"\bfoul\b",
    legal=r"\bsallittua\b|\bpätevä\b",
    kicker=r"\byksi kikkeri enemmän\b",
    no_low="ei ole 2-7-low",
    of_ranks=r"\bsuurempia\b|\bpienempiä\b",
)  # fmt: skip

RUSSIAN: Final = Glossary(
    rows={"front": r"\bверхн\w+", "middle": r"\bсредн\w+", "back": r"\bнижн\w+"},
    hands={
        "low": r"\bлоу\b",
        "royal-flush": "роял-флеш",
        "straight-flush": "стрит-флеш",
        "five-of-a-kind": r"\bпят[ьи] одинаковых\b|\bпят[ьи]\b",
        "full-house": r"фулл-хаус\w*",
        "quads": r"\bкаре\b",
        "flush": r"\bфлеш\w*",
        "straight": r"\bстрит\w*",
        "trips": r"\bсета?\b",
        "two-pair": r"\bдве пары\b|\bдвух пар\b",
        "pair": r"\bпар[аы]\b",
        "high-card": r"\bстарш(?:ая|ей|ий|его)\b",
    },
    classes={
        "royal-flush": r"роял-флеш\w*",
        "straight-flush": r"стрит-флеш\w*",
        "high-card": r"\bстарш\w+ карт\w+",
    },
    ranks=_ranks(
        r"\bдво(?:йк|ек)\w*", r"\bтро(?:йк|ек)\w*", r"\bчетв[её]р\w+", r"\bпят[её]р\w+", r"\bшест[её]р\w+",
        r"\bсем[её]р\w+", r"\bвосьм[её]р\w+", r"\bдевят\w+", r"\bдесят\w+", r"\bвалет\w*", r"\bдам\w*",
        r"\bкорол\w+", r"\bтуз\w*",
    ),
    stronger=r"\bсильнее\b|\bстарше\b",
    weaker=r"\bслабее\b|\bмладше\b",
    equal=r"\bравны:",
    foul=r"\bфол\b",
    legal=r"\bразрешено\b|\bбез фола\b",
    kicker=r"\bесть ещё кикер\b",
    no_low="не годится как лоу",
)  # fmt: skip

JAPANESE: Final = Glossary(
    rows={"front": "フロント", "middle": "ミドル", "back": "バック"},
    hands={
        "low": r"ロー(?=[（、]|$)",
        "royal-flush": "ロイヤルフラッシュ",
        "straight-flush": "ストレートフラッシュ",
        "five-of-a-kind": "ファイブカード",
        "full-house": "フルハウス",
        "quads": "フォーカード",
        "flush": "フラッシュ",
        "straight": "ストレート",
        "trips": "スリーカード",
        "two-pair": "ツーペア",
        "pair": "ワンペア",
        "high-card": "ハイ",
    },
    classes={"high-card": "ハイカード"},
    ranks=_ranks(
        "デュース", "スリー", "フォー", "ファイブ", "シックス", "セブン", "エイト", "ナイン", "テン", "ジャック",
        "クイーン", "キング", "エース",
    ),
    stronger=r"が[^を]*を上回|は[^は]*より強い|のほうが[^が]*より強い",
    weaker=r"を[^が]*が上回|より[^よ]+(?:のほう)?が強い",
    equal="同じ強さで",
    foul="ファウル",
    legal="有効",
    kicker="フロントにはないキッカー",
    no_low="2-7ロー（テンハイ以下）になりません",
)  # fmt: skip

SIMPLIFIED_CHINESE: Final = Glossary(
    rows={"front": "头道", "middle": "中道", "back": "尾道"},
    hands={
        "low": r"(?<=[\dJQKA])低",
        "royal-flush": "皇家同花顺",
        "straight-flush": "同花顺",
        "five-of-a-kind": "五条",
        "full-house": "葫芦",
        "quads": "四条",
        "flush": "同花",
        "straight": "顺子",
        "trips": "三条",
        "two-pair": "两对",
        "pair": "一对",
        "high-card": "高牌",
    },
    ranks=_FIGURES,
    stronger="大过",
    weaker="小过|小于",
    equal="一样大，都是",
    foul="犯规",
    legal="合规",
    kicker="多一张踢脚",
    no_low="不是2-7低牌",
)

TRADITIONAL_CHINESE: Final = Glossary(
    rows={"front": "頭道", "middle": "中道", "back": "尾道"},
    hands={
        "low": r"(?<=[\dJQKA])低",
        "royal-flush": "同花大順",
        "straight-flush": "同花順",
        "five-of-a-kind": "五條",
        "full-house": "葫蘆",
        "quads": "四條",
        "flush": "同花",
        "straight": "順子",
        "trips": "三條",
        "two-pair": "兩對",
        "pair": "一對",
        "high-card": "高牌",
    },
    ranks=_FIGURES,
    stronger="大過",
    weaker="小過|小於",
    equal="一樣大，都是",
    foul="犯規",
    legal="合規",
    kicker="多一張踢腳",
    no_low="不是2-7低牌",
)

GLOSSARIES: Final[Mapping[str, Glossary]] = {
    "en": ENGLISH,
    "de": GERMAN,
    "es": SPANISH,
    "fi": FINNISH,
    "ja": JAPANESE,
    "ru": RUSSIAN,
    "zh-hans": SIMPLIFIED_CHINESE,
    "zh-hant": TRADITIONAL_CHINESE,
}
