// Package jinja renders Jinja templates and says of every byte of the output where it
// came from. A template reaches nothing but the values, functions and templates that
// its host hands over.
//
//	env := jinja.New(jinja.Options{})
//	tmpl, err := env.Parse(jinja.Source{Name: "hello.md", Text: "Hello {{ name }}!"})
//	if err != nil {
//		return err // an *Error: hello.md:1:10: …
//	}
//	out, err := tmpl.Render(new(jinja.MapBuilder).Set("name", jinja.String("Ann", 1)).Map())
//	if err != nil {
//		return err
//	}
//	fmt.Println(out.Text()) // Hello Ann!
//	span, _ := out.SpanAt(6) // hello.md:1:10, variable name, trust 1
//
// The language is the MiniJinja dialect of Jinja: statements, expressions, filters,
// tests, functions, and the methods of Python's strings, lists and maps that
// published templates use. docs/jinja-compatibility.md lists what differs.
//
// An [Env] holds options and is shared. [Env.Parse] reads one text; [Env.Load]
// reads a template and all that it names, so that a missing or circular include is
// found before anything renders. A [Template] renders as often as wanted, from many
// goroutines. [Env.ParseExpr] reads a condition.
//
// # Origin
//
// The text of an [Output] is tiled by spans. A [Text] span is literal template
// text and equals the source at its place; a [Data] span is a value of the host
// that came through unchanged, with its access path; a [Computed] span was made
// by an expression, and keeps the path and the label of the least trusted thing
// that went into it. Concatenation, join, captures, set and filter blocks,
// macros, call blocks and includes keep their parts apart.
//
// [Trust] labels come with the data and with the source of a template; the
// engine never lowers one: no byte of a value lies in a span with a lower label
// than the value's. What a template merely decides by a value, such as which of
// two literal texts to print, is not tracked.
//
// # Guarantees
//
// Rendering is a function of template, options and values: no clock, no
// randomness, no input or output beyond the [Loader], and the same fuel each
// time. Every resource is bounded by [Limits] and running out of one is an error
// with a place. Values are data: no text in them is ever parsed as a template,
// and no Go method or field is reachable from a template, only what the host
// registers. Every failure is an [*Error] with file, line and column.
//
// # What it will not do
//
// It does not escape by file name, has no custom delimiters, and offers no way
// to change values, run code or reach the host's files from a template.
package jinja
