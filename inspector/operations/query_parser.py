"""Reads a query: tokens, then a recursive descent by precedence (or, and, not, comparison)."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from inspector import values
from inspector.model import UsageError
from inspector.operations.query import (
    FUNCTIONS,
    Call,
    Compare,
    Field,
    Is,
    Items,
    Literal,
    Logic,
    Node,
    expression_finds,
)
from inspector.values import Value

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.]))
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>[^\W\d]\w*(?:-\w+)*)
    | (?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,|\.)
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s*")
_LEADING_ZEROS = re.compile(r"^(-?)0+(?=[0-9])")
_CONSTANTS: dict[str, Value] = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "None": None,
}  # fmt: skip
_KEYWORDS = frozenset(("and", "or", "not", "in", "is", "contains", "matches", "missing"))
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
MAX_DEPTH = 100
"""Deepest nesting of parentheses, brackets, functions and ``not``, each of which is a call of the parser."""

_MAX_POSITION_DIGITS = 18
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


class Parser:
    """Parses one query text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.position = 0
        self.depth = 0

    def _tokens(self) -> list[_Token]:
        found, position = [], 0
        while (position := self._after_space(position)) < len(self.text):
            match = _TOKEN.match(self.text, position)
            if not match:
                hint = "; equality is written ==" if self.text[position] == "=" else ""
                raise UsageError(f"Unexpected {self.text[position]!r}{hint}.", self.text, position)
            kind = match.lastgroup or ""
            found.append(_Token(kind, match.group(kind), match.start(kind)))
            position = match.end()
        return found

    def _after_space(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    @property
    def _next(self) -> _Token:
        if self.position < len(self.tokens):
            return self.tokens[self.position]
        return _Token("end", "", len(self.text))

    def _take(self, *texts: str) -> bool:
        if self._next.kind in ("sign", "name") and self._next.text in texts:
            self.position += 1
            return True
        return False

    def _error(self, message: str) -> UsageError:
        return UsageError(message, self.text, self._next.position)

    def _expect(self, text: str) -> None:
        if not self._take(text):
            found = repr(self._next.text) if self._next.text else "the end"
            raise self._error(f"Expected {text!r} but found {found}.")

    def parse(self) -> Node:
        """Return the whole expression. Raises `UsageError`."""
        node = self._or()
        if self._next.kind != "end":
            near = difflib.get_close_matches(self._next.text, (*_KEYWORDS, *_COMPARISONS), 1)
            hint = f"; is {near[0]!r} meant?" if near else ""
            raise self._error(f"Expected an operator before {self._next.text!r}{hint}.")
        return node

    def _descend(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"More than {MAX_DEPTH} levels of parentheses, brackets, functions and 'not'.")

    def _or(self) -> Node:
        parts = [self._and()]
        while self._take("or"):
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Logic("or", tuple(parts))

    def _and(self) -> Node:
        parts = [self._not()]
        while self._take("and"):
            parts.append(self._not())
        return parts[0] if len(parts) == 1 else Logic("and", tuple(parts))

    def _not(self) -> Node:
        negations = 0
        while self._take("not"):
            negations += 1
            self._descend()
        node = self._comparison()
        self.depth -= negations
        for _ in range(negations):
            node = Logic("not", (node,))
        return node

    def _comparison(self) -> Node:
        left = self._operand()
        comparisons: list[Node] = []
        while True:
            if self._take("is"):
                return self._is(left)
            operator = self._operator()
            if operator is None:
                break
            right = self._operand()
            if operator == "matches":
                self._check_expression(right)
            comparisons.append(Compare(operator, left, right))
            left = right
        if not comparisons:
            return left
        return comparisons[0] if len(comparisons) == 1 else Logic("and", tuple(comparisons))

    def _operator(self) -> str | None:
        for operator in (*_COMPARISONS, "in", "contains", "matches"):
            if self._take(operator):
                return operator
        if self._next.text == "not" and self._next.kind == "name":
            self.position += 1
            self._expect("in")
            return "not in"
        return None

    def _is(self, left: Node) -> Node:
        negated = self._take("not")
        if self._take("missing"):
            return Is(left, "missing", negated)
        if self._take("null", "None"):
            return Is(left, "null", negated)
        raise self._error("After 'is' comes null, missing, not null or not missing.")

    def _check_expression(self, node: Node) -> None:
        if isinstance(node, Literal) and isinstance(node.constant, str):
            try:
                expression_finds(node.constant, "")
            except (ValueError, TimeoutError, MemoryError) as error:
                self.position -= 1
                shown = repr(node.constant[:_SHOWN]) + ("…" if len(node.constant) > _SHOWN else "")
                reason = error if isinstance(error, ValueError) else "it repeats itself without end"
                raise self._error(f"{shown} is no regular expression: {reason}.") from None

    def _operand(self) -> Node:
        self._descend()
        node = self._part(self._next)
        self.depth -= 1
        return node

    def _part(self, token: _Token) -> Node:
        if self._take("("):
            node = self._or()
            if self._next.text == ",":
                return self._items([node], ")")
            self._expect(")")
            return node
        if self._take("["):
            return Items(()) if self._take("]") else self._items([self._operand()], "]")
        if token.kind == "number":
            self.position += 1
            return Literal(values.parse(_LEADING_ZEROS.sub(r"\1", token.text)))
        if token.kind == "text":
            self.position += 1
            return Literal(_unquote(token.text))
        if token.kind == "name" and token.text not in _KEYWORDS - {"missing"}:
            return self._name(token)
        found = repr(token.text) if token.text else "the end"
        raise self._error(f"Expected a field or value but found {found}.")

    def _items(self, parts: list[Node], closer: str) -> Node:
        while self._take(","):
            parts.append(self._operand())
        self._expect(closer)
        return Items(tuple(parts))

    def _name(self, token: _Token) -> Node:
        self.position += 1
        if self._next.text == "(" and self._next.kind == "sign":
            if token.text not in FUNCTIONS:
                self.position -= 1
                near = difflib.get_close_matches(token.text, FUNCTIONS, 1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise self._error(f"Unknown function {token.text!r}; functions are {', '.join(FUNCTIONS)}.{hint}")
            self.position += 1
            argument = self._operand()
            self._expect(")")
            return Call(token.text, argument)
        if token.text in _CONSTANTS:
            return Literal(_CONSTANTS[token.text])
        path: list[str | int] = [token.text]
        while self._next.kind == "sign" and self._next.text in (".", "["):
            path.append(self._step())
        return Field(tuple(path))

    def _step(self) -> str | int:
        opener = self._next.text
        self.position += 1
        token = self._next
        self.position += 1
        if opener == ".":
            if token.kind != "name":
                self.position -= 1
                raise self._error("After '.' comes a field name.")
            return token.text
        if token.kind == "number" and token.text.lstrip("-").isdigit():
            if len(token.text) > _MAX_POSITION_DIGITS:
                self.position -= 1
                raise self._error("No list is as long as this position.")
            step: str | int = int(token.text)
        elif token.kind == "text":
            step = _unquote(token.text)
        else:
            self.position -= 1
            raise self._error("In brackets comes a position or a quoted name.")
        self._expect("]")
        return step


def _unquote(token: str) -> str:
    body = token[1:-1]
    escapes = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
    return re.sub(
        r"\\(u[0-9a-fA-F]{4}|.)",
        lambda match: chr(int(match[1][1:], 16)) if len(match[1]) == 5 else escapes.get(match[1], match[1]),
        body,
        flags=re.DOTALL,
    )
