"""Prompt templates: Jinja files under `prompts/`, checked when they are loaded."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

import jinja2
import jinja2.meta
import orjson


class PromptError(ValueError):
    """A template is missing or does not parse."""


def _to_json(value: Any) -> str:
    return orjson.dumps(value).decode()


class PromptShelf:
    """The templates of one folder, rendered with StrictUndefined."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            undefined=jinja2.StrictUndefined,
            autoescape=False,  # prompts are text for a model, not markup for a browser
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
        )
        self._environment.filters["json"] = _to_json

    def placeholders(self, template: str) -> AbstractSet[str]:
        """Names that the template expects. Raises PromptError where it cannot be read."""
        try:
            source, _, _ = jinja2.FileSystemLoader(self.folder).get_source(
                self._environment, template
            )
            return jinja2.meta.find_undeclared_variables(self._environment.parse(source))
        except jinja2.TemplateNotFound as error:
            raise PromptError(f"no such template: {self.folder / template}") from error
        except jinja2.TemplateSyntaxError as error:
            raise PromptError(
                f"{self.folder / template}:{error.lineno}: {error.message}"
            ) from error

    def render(self, template: str, **values: Any) -> str:
        """The template with `values` put in. Raises PromptError for a name without a value."""
        try:
            return self._environment.get_template(template).render(**values).strip()
        except jinja2.UndefinedError as error:
            raise PromptError(f"{self.folder / template}: {error.message}") from error
