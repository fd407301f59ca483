"""What answers are made of."""

from typing import Any, ClassVar, Dict, Type

# The classes of answers by their names, for shapes that name one.
classes: Dict[str, Type["Value"]] = {}


class Value:
    """An object of an answer, whose attributes are its keys.

    A list or map that isn't there is empty, anything else that may be absent is None.
    Keys that this version of the client doesn't know are kept: `to_json()` gives all
    that was answered.
    """

    __slots__ = ("_json", "_made")

    # The shape of each attribute: None for a value as it is, the name of a class, a
    # list of a shape, or a map of one as {"*": shape}.
    _shapes: ClassVar[Dict[str, Any]] = {}
    # Keys that aren't the names of their attributes.
    _keys: ClassVar[Dict[str, str]] = {}

    def __init__(self, json: Dict[str, Any]) -> None:
        self._json = json
        self._made: Dict[str, Any] = {}

    def __init_subclass__(cls) -> None:
        classes[cls.__name__] = cls

    def __getattr__(self, name: str) -> Any:
        # Called for what is neither a slot nor a method, so for keys alone.
        if name.startswith("_"):
            raise AttributeError(name)
        made = self._made
        if name not in made:
            key = self._keys.get(name, name)
            if key not in self._json and name not in self._shapes:
                raise AttributeError(f"{type(self).__name__} has no {name!r}")
            made[name] = _made(self._shapes.get(name), self._json.get(key))
        return made[name]

    def __dir__(self) -> Any:
        return sorted({*super().__dir__(), *self._shapes})

    def to_json(self) -> Dict[str, Any]:
        """The object as it was answered, with all its keys."""
        return self._json

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(self._json == other._json)  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._json!r})"

    def __reduce__(self) -> Any:
        return type(self), (self._json,)


def _made(shape: Any, data: Any) -> Any:
    if isinstance(shape, list):
        return [_made(shape[0], x) for x in data or ()]
    if isinstance(shape, dict):
        return {key: _made(shape["*"], x) for key, x in (data or {}).items()}
    if shape is None or data is None:
        return data
    return classes[shape](data)
