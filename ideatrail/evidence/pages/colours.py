"""Colours and lengths of CSS, as far as they tell whether text is seen."""

from __future__ import annotations

import re
from typing import Final

Colour = tuple[int, int, int]

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)

_NAMES: Final[dict[str, Colour]] = {
    "white": WHITE,
    "black": BLACK,
    "red": (255, 0, 0),
    "lime": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "cyan": (0, 255, 255),
    "aqua": (0, 255, 255),
    "magenta": (255, 0, 255),
    "fuchsia": (255, 0, 255),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "maroon": (128, 0, 0),
    "olive": (128, 128, 0),
    "green": (0, 128, 0),
    "teal": (0, 128, 128),
    "navy": (0, 0, 128),
    "purple": (128, 0, 128),
    "orange": (255, 165, 0),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "whitesmoke": (245, 245, 245),
    "azure": (240, 255, 255),
    "mintcream": (245, 255, 250),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
}
_TOKEN: Final = re.compile(
    r"#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]{3,60}\)|(?<![\w-])[a-z]+(?![\w(-])"
)
_NUMBER: Final = re.compile(r"-?(?:\d+\.?\d*|\.\d+)%?")
_LENGTH: Final = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))\s*([a-z]*|%)")
_UNITS: Final = {"": 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0}
_UNITS.update({"vw": 12.0, "vh": 8.0, "cm": 37.8, "mm": 3.78, "in": 96.0, "pc": 16.0, "%": 10.0})
_CLOSE: Final = 12


def colour(value: str) -> tuple[Colour, float] | None:
    """The colour that `value` names, with its opacity; None where it names none that is known."""
    for token in _TOKEN.findall(value):
        if token == "transparent":
            return WHITE, 0.0
        if token in _NAMES:
            return _NAMES[token], 1.0
        if token.startswith("#"):
            found = _hex(token[1:])
        elif token.startswith("rgb"):
            found = _rgb(token)
        else:
            found = _hsl(token) if token.startswith("hsl") else None
        if found is not None:
            return found
    return None


def same(one: Colour, other: Colour) -> bool:
    """Whether no eye tells them apart."""
    return all(abs(a - b) <= _CLOSE for a, b in zip(one, other, strict=True))


def pixels(value: str, base: float = 16.0) -> float | None:
    """A length in pixels, as near as can be said without laying out; `em` and `%` of `base`."""
    match = _LENGTH.match(value.strip())
    if match is None:
        return None
    number, unit = float(match[1]), match[2]
    if unit in ("em", "%"):
        return number * base / (100.0 if unit == "%" else 1.0)
    return number * _UNITS[unit] if unit in _UNITS else None


def _hex(digits: str) -> tuple[Colour, float] | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) not in (6, 8):
        return None
    red, green, blue = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
    return (red, green, blue), int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0


def _share(text: str, whole: float) -> float:
    number = float(text.rstrip("%"))
    return number * whole / 100 if text.endswith("%") else number


def _rgb(token: str) -> tuple[Colour, float] | None:
    numbers = _NUMBER.findall(token)
    if len(numbers) < 3:
        return None
    red, green, blue = (round(min(255.0, max(0.0, _share(n, 255)))) for n in numbers[:3])
    return (red, green, blue), _share(numbers[3], 1.0) if len(numbers) > 3 else 1.0


def _hsl(token: str) -> tuple[Colour, float] | None:
    numbers = _NUMBER.findall(token)
    if len(numbers) < 3:
        return None
    hue = _share(numbers[0], 360.0) % 360 / 30
    saturation, light = (min(1.0, max(0.0, float(n.rstrip("%")) / 100)) for n in numbers[1:3])
    spread = saturation * min(light, 1 - light)
    red, green, blue = (
        round(255 * (light - spread * max(-1.0, min((k + hue) % 12 - 3, 9 - (k + hue) % 12, 1.0))))
        for k in (0, 8, 4)
    )
    return (red, green, blue), _share(numbers[3], 1.0) if len(numbers) > 3 else 1.0
