"""Renders templates with Jinja2 as programs that use chat templates do.

Reads one JSON object a line: template, templates (by name), context, options (a
list of words). Writes one a line: text, or error."""

import json
import sys

import jinja2
import jinja2.sandbox


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def strftime_now(form):
    for part, value in {"%d": "20", "%b": "Nov", "%B": "November", "%Y": "2026", "%m": "11"}.items():
        form = form.replace(part, value)
    return form


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def render(case):
    words = case["options"]
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        loader=jinja2.DictLoader({**(case.get("templates") or {}), "main.md": case["template"]}),
        trim_blocks="trim_blocks" in words,
        lstrip_blocks="lstrip_blocks" in words,
        keep_trailing_newline="keep_trailing_newline" in words,
        undefined=jinja2.Undefined if "lenient" in words else jinja2.StrictUndefined,
        extensions=["jinja2.ext.loopcontrols", "jinja2.ext.do"],
    )
    env.filters["tojson"] = tojson
    env.globals.update(raise_exception=raise_exception, strftime_now=strftime_now, tool=lambda name: True)
    return env.get_template("main.md").render(case["context"])


for line in sys.stdin:
    try:
        answer = {"text": render(json.loads(line))}
    except Exception as e:
        answer = {"error": f"{type(e).__name__}: {e}"}
    print(json.dumps(answer), flush=True)
