"""Asks what stands on stdin, an object a line, through a client, and prints what it gives.

The arguments are those of the client, as JSON. Each line is {"op", "request"}.
"""

import asyncio
import json
import keyword
import sys

import cento


def arguments(request):
    """The request as the arguments of a method."""
    return {key + "_" if keyword.iskeyword(key) else key: value for key, value in request.items()}


def said(do):
    try:
        return {"answer": do().to_json()}
    except cento.Refused as e:
        return {"error": {"code": e.code, "message": e.message, "hint": e.hint, "count": len(e.errors)}}


def main():
    asked = [json.loads(line) for line in sys.stdin]
    options = json.loads(sys.argv[1])
    out = []
    if options.pop("await", False):

        async def ask(client, x):
            try:
                answer = await getattr(client, x["op"])(**arguments(x["request"]))
                return said(lambda: answer)
            except cento.Refused as e:
                error = e
            except TypeError:  # a key that no method has
                return {"typeError": True}

            def again():
                raise error

            return said(again)

        async def all_of_them():
            async with cento.AsyncCento(**options) as client:
                return await asyncio.gather(*[ask(client, x) for x in asked])

        out = asyncio.run(all_of_them())
    else:
        with cento.Cento(**options) as client:
            for x in asked:
                try:
                    out.append(said(lambda: getattr(client, x["op"])(**arguments(x["request"]))))
                except TypeError:  # a key that no method has
                    out.append({"typeError": True})
    for line in out:
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


main()
