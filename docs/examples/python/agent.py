"""A small agent whose model is a script; its prompt is made by Cento."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "clients" / "python"))  # here nobody has to install it

from cento import Cento, Refused  # noqa: E402

PROJECT = str(HERE / "project")


def model(system, messages):
    """Stands for a model: it wants a test run, and ends when it is told the result."""
    if "You may run commands." not in system:
        return "I can't run the tests here."
    if any("passed" in m for m in messages):
        return "Done: the tests pass."
    return "shell: make test"


def turn(cento, session, system, messages):
    """One turn: the reminders that are due go to the model, and the turn ends."""
    due = cento.reminders(session=session, ops=[{"op": "turn"}], placement="turn")
    envelope = [due.envelope] if due.envelope else []
    answer = model(system, messages + envelope)
    after = cento.reminders(session=due.session, ops=[{"op": "turn_end"}])
    return answer, after.session, len(envelope)


def main():
    with Cento(project=PROJECT) as cento:
        # The prompt, once for the session. What the host knows comes with the request.
        ask = {
            "system_preamble": "You work for the platform team.",
            "caps": ["interactive"],
            "now": "2026-03-01T10:00:00Z",
        }
        system = cento.assemble(**ask).system
        print(system.split("\n---\n")[0], end="\n\n")

        why = cento.why(text="before you say that you are done", **ask).matches[0]
        print("why:", why.fragment, why.origin.file, why.reason)

        # What would go with a tool?
        diff = cento.diff(to={"without_tools": ["shell"]}, **ask)
        print("without shell:", [v.id for v in diff.verdicts], [c.id for c in diff.changed])

        # Turns, with a reminder that expires.
        session = {"id": "fix-42"}
        red = {"body": "The tests are red.", "ttl_turns": 1, "dedupe_key": "tests"}
        session = cento.reminders(session=session, ops=[{"op": "inject", "reminder": red}]).session
        messages = []
        for _ in range(2):
            answer, session, reminded = turn(cento, session, system, messages)
            print(f"turn {session['turn']}, {reminded} reminded: {answer}")
            if answer.startswith("shell:"):
                messages.append("make test: 12 passed")

        # A slip is told with its place and what was probably meant.
        try:
            cento.call("assemble", {"without_tool": ["shell"]})
        except Refused as e:
            print("refused:", e.code, e.message)


if __name__ == "__main__":
    sys.exit(main())
