"""System prompts of agents, assembled and explained by Cento.

    from cento import Cento

    with Cento(project=".") as cento:
        prompt = cento.assemble(without_tools=["shell"])
        print(prompt.system)

`Cento(project=...)` asks one process of the program, `Cento(url=..., token=...)` a
service. `AsyncCento` is the same with methods to await. Answers are objects with the
attributes of `cento.answers`; what goes wrong is a `cento.Error`.
"""

from .client import AsyncCento, Cento
from .errors import Error, Lost, Refused
from .events import Event, Stream
from .value import Value

__all__ = ["AsyncCento", "Cento", "Error", "Event", "Lost", "Refused", "Stream", "Value"]
