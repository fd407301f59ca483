package strict

import (
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
)

func TestYAMLErrors(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"tab", "a:\n\tb: 1\n", `f:2:1: a tab in the indentation
  code: syntax
  hint: YAML is indented by spaces
`},
		{"tab after blanks", "a:\n  b: 1\n  \tc: 2\n", `f:3:3: a tab in the indentation
  code: syntax
  hint: YAML is indented by spaces
`},
		{"tab in a text is text", "a: \"x\ty\"\n", ""},
		{"two documents", "a: 1\n---\nb: 2\n", `f:2:1: a second YAML document begins here
  code: syntax
  hint: keep one document to a file
`},
		{"one marked document", "---\na: 1\n...\n", ""},
		{"duplicate", "a: 1\nb: 2\na: 3\n", `f:3:1: key "a" is given twice
  code: key.duplicate
  f:1:1: given here first
  hint: keep one of the two
`},
		{"duplicate in other case", "name: 1\nNAME: 2\n", `f:2:1: keys "name" and "NAME" differ in letter case alone
  code: key.duplicate
  f:1:1: given here first
  hint: keep one of the two
`},
		{"duplicate among many", "a: 1\n" + manyKeys() + "A: 3\n", `f:42:1: keys "a" and "A" differ in letter case alone
  code: key.duplicate
  f:1:1: given here first
  hint: keep one of the two
`},
		{"duplicate in quotes and flow", "{a: 1, \"a\": 2, 'a': 3}", `f:1:8: key "a" is given twice
  code: key.duplicate
  f:1:2: given here first
  hint: keep one of the two
f:1:16: key "a" is given twice
  code: key.duplicate
  f:1:2: given here first
  hint: keep one of the two
`},
		{"anchor and alias", "a: &x 1\nb: *x\n", `f:1:4: an anchor (&x) is not read
  code: syntax
  hint: write the value where it is needed; put a text that begins with & between quotes
f:2:4: an alias (*x) is not read
  code: syntax
  hint: write the value again
`},
		{"self alias", "a: &x [*x]\n", `f:1:4: an anchor (&x) is not read
  code: syntax
  hint: write the value where it is needed; put a text that begins with & between quotes
f:1:8: an alias (*x) is not read
  code: syntax
  hint: write the value again
`},
		{"merge key", "a: {b: 1}\nc:\n  <<: {d: 2}\n", `f:3:3: a merge key (<<) is not read
  code: syntax
  hint: write the keys again
`},
		{"tag", "a: !!str 1\nb: !x {}\nc: ! 3\n", `f:1:4: a tag (!!str) is not read
  code: syntax
  hint: what a value is follows from the key it belongs to
f:2:4: a tag (!x) is not read
  code: syntax
  hint: what a value is follows from the key it belongs to; put a text that begins with ! between quotes
f:3:4: a tag (!) is not read
  code: syntax
  hint: what a value is follows from the key it belongs to; put a text that begins with ! between quotes
`},
		{"list as key", "? [a]\n: 1\n", `f:1:3: a list is no key, expected a text
  code: syntax
  hint: put a key that begins with [ between quotes
`},
		{"no key", ": 1\n", `f:1:1: a key is missing
  code: syntax
  hint: an empty key is written ""
`},
		{"not UTF-8", "a: é\nb: \xff\n", `f:2:4: byte 0xFF is not UTF-8
  code: text.utf8
  hint: save the file as UTF-8
`},
		{"overlong", "a: \xc0\x80\n", `f:1:4: byte 0xC0 is not UTF-8
  code: text.utf8
  hint: save the file as UTF-8
`},
		{"NUL", "a: b\x00c\n", `f:1:5: a NUL byte stands in the text
  code: syntax
  hint: this doesn't look like a text file
`},
		{"written NUL", "a: \"b\\0c\"\n", `f:1:6: a NUL character in a text
  code: syntax
  hint: take it out
`},
		{"written NUL in a key", "? \"b c\\x00\"\n: d\n", `f:1:7: a NUL character in a text
  code: syntax
  hint: take it out
`},
		{"written NUL after a fold", "a: \"b\n  c\\u0000\"\n", `f:2:4: a NUL character in a text
  code: syntax
  hint: take it out
`},
		{"half surrogate", "a: \"b\\ud800c\"\n", `f:1:8: not readable as YAML: found invalid Unicode character escape code while scanning a quoted scalar
  code: syntax
  f:1:4: begun here
  hint: a backslash itself is written \\ between double quotes, and as it is between single quotes
`},
		{"control character", "a: x\nb: \x1b[1m\n", "f:2:4: control character U+001B in the text\n  code: syntax\n  hint: write it as an escape in a text between double quotes\n"},
		{"lone carriage return", "a: x\ry\n", "f:1:5: a carriage return (U+000D) would end a YAML line here\n  code: syntax\n  hint: take it out, or write \\r in a text between double quotes\n"},
		{"line separator", "a: x\u2028y\n", "f:1:5: the line separator U+2028 would end a YAML line here\n  code: syntax\n  hint: take it out, or write \\L in a text between double quotes\n"},
		{"CRLF and mark", "\ufeffa: |\r\n  x\r\n  y\r\n", ""},
		{"colon", "a: b: c\n", `f:1:5: not readable as YAML: mapping values are not allowed in this context
  code: syntax
  hint: put a text that holds ": " between quotes, or into a block after |
`},
		{"indentation", "a:\n  b: 1\n c: 2\n", `f:3:2: not readable as YAML: did not find expected key while parsing a block mapping
  code: syntax
  f:1:1: begun here
  hint: check that this line is indented as those it belongs to
`},
		{"open quotes", "a: \"abc\nb: 1", `f:1:4: not readable as YAML: a text is not closed
  code: syntax
  hint: close the quotes where the text ends
`},
		{"open quotes far above the end", "a: 'abc\nb: 1\nc: 2\n", `f:1:4: not readable as YAML: a text is not closed
  code: syntax
  f:3:5: read up to here
  hint: close the quotes where the text ends
`},
		{"open quotes, lines that end as on Windows", "a: 'abc\r\nb: 1\r\n", `f:1:4: not readable as YAML: a text is not closed
  code: syntax
  f:2:5: read up to here
  hint: close the quotes where the text ends
`},
		{"open list at the end", "a: [\n", "f:1:4: not readable as YAML: a list is not closed\n  code: syntax\n  hint: write ] where it ends\n"},
		{"open map at the end", "a: {b: 1,\n", "f:1:4: not readable as YAML: a map is not closed\n  code: syntax\n  hint: write } where it ends\n"},
		{"open list within a map", "vars: {a: [}\nb: 1\n", "f:1:12: not readable as YAML: expected a value, got \"}\"\n  code: syntax\n  f:1:11: begun here\n  hint: " + partIt + "\n"},
		{"nothing between commas", "a: [read,, write]\n", "f:1:10: not readable as YAML: expected a value, got \",\"\n  code: syntax\n  f:1:4: begun here\n  hint: " + partIt + "\n"},
		{"a bracket that closes nothing", "a: ]\n", "f:1:4: not readable as YAML: expected a value, got \"]\"\n  code: syntax\n  hint: it closes nothing: take it out, or put a text that begins with it between quotes\n"},
		{"a comma alone", "a: , b\n", "f:1:4: not readable as YAML: expected a value, got \",\"\n  code: syntax\n  hint: put a text that begins with it between quotes\n"},
		{"a brace in a list", "- a\n- }\n", "f:2:3: not readable as YAML: expected a value, got \"}\"\n  code: syntax\n  hint: it closes nothing: take it out, or put a text that begins with it between quotes\n"},
		{"brackets between quotes and in comments", "a: [b, ']', \"]\", # ]\n  c's, [\n", "f:2:8: not readable as YAML: a list is not closed\n  code: syntax\n  hint: write ] where it ends\n"},
		{"the innermost one", "a: {b: [c, {d: e}, {\n", "f:1:20: not readable as YAML: a map is not closed\n  code: syntax\n  hint: write } where it ends\n"},
		{"brackets in a text above", "a: |\n  x [ y\nb: ]\n", "f:3:4: not readable as YAML: expected a value, got \"]\"\n  code: syntax\n  hint: it closes nothing: take it out, or put a text that begins with it between quotes\n"},
		{"a text that begins with %", "a: b\n%x\n", "f:2:3: not readable as YAML: found unknown directive name while scanning a directive\n  code: syntax\n  f:2:1: begun here\n  hint: put a text that begins with % between quotes\n"},
		{"a text that begins with ?", "a: ? b\n", "f:1:4: not readable as YAML: mapping keys are not allowed in this context\n  code: syntax\n  hint: put a text that begins with \"? \" between quotes\n"},
		{"another version of YAML", "%YAML 9\n---\na: 1", "f:1:8: not readable as YAML: did not find expected digit or '.' character while scanning a %YAML directive\n  code: syntax\n  f:1:1: begun here\n  hint: put a text that begins with % between quotes\n"},
		{"a text that begins with !<", "a: !<x\n", "f:1:7: not readable as YAML: did not find the expected '>' while scanning a tag\n  code: syntax\n  f:1:4: begun here\n  hint: put a text that begins with ! between quotes\n"},
		{"an ampersand alone", "a: &\n", "f:1:5: not readable as YAML: did not find expected alphabetic or numeric character while scanning an anchor\n  code: syntax\n  f:1:4: begun here\n  hint: put a text that begins with & between quotes\n"},
		{"an asterisk alone", "a: *\n", "f:1:5: not readable as YAML: did not find expected alphabetic or numeric character while scanning an alias\n  code: syntax\n  f:1:4: begun here\n  hint: put a text that begins with * between quotes\n"},
		{"open list", "a: [1, 2\nb: 3\n", `f:2:2: not readable as YAML: did not find expected ',' or ']' while parsing a flow sequence
  code: syntax
  f:1:4: begun here
  hint: part what stands between brackets by commas and close them; a text that holds one of , [ ] { } stands between quotes
`},
		{"colon in a text within a map", "- {id: a, body: Note: never do it}\n", `f:1:21: not readable as YAML: did not find expected ',' or '}' while parsing a flow mapping
  code: syntax
  f:1:3: begun here
  hint: put a text that holds ": " between quotes; a comma stands before a further key
`},
		{"colon in a text within a list", "a: {b: [x: y: z]}\n", `f:1:13: not readable as YAML: did not find expected ',' or ']' while parsing a flow sequence
  code: syntax
  f:1:8: begun here
  hint: put a text that holds ": " between quotes; a comma stands before a further key
`},
		{"key without a comma before it", "- {id: a body: x}\n", `f:1:14: not readable as YAML: did not find expected ',' or '}' while parsing a flow mapping
  code: syntax
  f:1:3: begun here
  hint: put a text that holds ": " between quotes; a comma stands before a further key
`},
		{"key behind quotes without a comma before it", "- {id: 'a' body: x}\n", "f:1:12: not readable as YAML: did not find expected ',' or '}' while parsing a flow mapping\n  code: syntax\n  f:1:3: begun here\n  hint: " + partIt + "\n"},
		{"at sign", "a: @b\n", `f:1:4: not readable as YAML: found character that cannot start any token while scanning for the next token
  code: syntax
  hint: put a text that begins with this character between quotes
`},
		{"key without colon", "a: 1\nb\n", `f:2:1: not readable as YAML: a key without a colon
  code: syntax
  hint: a key is followed by a colon and a blank
`},
		{"key without a blank", "a: 1\nb:2\n", `f:2:1: not readable as YAML: a key without a colon
  code: syntax
  hint: write a blank behind the colon
`},
		{"equals sign", "a: 1\nb = 2\n", `f:2:1: not readable as YAML: a key without a colon
  code: syntax
  hint: write a colon for =
`},
		{"merge conflict", "a: 1\n<<<<<<< HEAD\nb: 2\n", `f:2:1: not readable as YAML: a line of a merge conflict
  code: syntax
  hint: settle the conflict: <<<<<<<, ======= and >>>>>>> are lines of a merge
`},
		{"merge conflict at the beginning", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n", `f:1:1: not readable as YAML: a line of a merge conflict
  code: syntax
  hint: settle the conflict: <<<<<<<, ======= and >>>>>>> are lines of a merge
`},
		{"merge conflict above", "- a: 1\n<<<<<<< HEAD\n  b: 2\n=======\n", `f:2:1: not readable as YAML: a line of a merge conflict
  code: syntax
  hint: settle the conflict: <<<<<<<, ======= and >>>>>>> are lines of a merge
`},
		{"merge conflict that is half settled", "a: 1\n=======\nb: 2\n", `f:2:1: not readable as YAML: a line of a merge conflict
  code: syntax
  hint: settle the conflict: <<<<<<<, ======= and >>>>>>> are lines of a merge
`},
		{"underlined text above", "a: \"b\n=======\n\"\nc: [\n", `f:4:4: not readable as YAML: a list is not closed
  code: syntax
  hint: write ] where it ends
`},
		{"block without indentation", "a:\n  b: |\n  text\n", `f:3:3: not readable as YAML: a key without a colon
  code: syntax
  hint: indent the lines of a block deeper than its key
`},
		{"text behind the mark of a block", "a: > text\n  more\n", `f:1:6: not readable as YAML: did not find expected comment or line break while scanning a block scalar
  code: syntax
  f:1:4: begun here
  hint: the text of a block begins on the next line; put a text that begins with > between quotes
`},
		{"list behind its key", "a: - b\n", `f:1:4: not readable as YAML: block sequence entries are not allowed in this context
  code: syntax
  hint: begin a list on a line of its own; put a text that begins with "- " between quotes
`},
		{"deeper than the key above", "a: 1\n  b: 2\n", `f:2:3: not readable as YAML: mapping values are not allowed in this context
  code: syntax
  hint: indent a key as the one above it; a text that holds ": " stands between quotes, or in a block after |
`},
		{"text with a colon", "a:\n  b: Note: c\n", `f:2:10: not readable as YAML: mapping values are not allowed in this context
  code: syntax
  hint: put a text that holds ": " between quotes, or into a block after |
`},
		{"text that begins with braces", "a:\n  b: {{ c }} and d\n", `f:2:6: a text that begins with {{ is taken for a map
  code: syntax
  hint: put the text between quotes, or into a block after |
`},
		{"braces between quotes", "a: \"b, {{ c }}\" d\n", `f:1:17: not readable as YAML: more text behind the end of the value
  code: syntax
  f:1:4: the value begins here
  hint: within double quotes one is written \"; put the whole text between quotes, or into a block after |
`},
		{"braces behind a quote in quotes", "a: {b: 'it''s, {{ c', d: [1}\n", `f:1:28: not readable as YAML: did not find expected ',' or ']' while parsing a flow sequence
  code: syntax
  f:1:26: begun here
  hint: part what stands between brackets by commas and close them; a text that holds one of , [ ] { } stands between quotes
`},
		{"text in braces", "a: [x, {{ c }}]\n", `f:1:8: a text that begins with {{ is taken for a map
  code: syntax
  hint: put the text between quotes, or into a block after |
`},
		{"condition in braces", "- when: {{ tool('x') }}\n", `f:1:9: a text that begins with {{ is taken for a map
  code: syntax
  hint: a condition is written without braces: tool('x')
`},
		{"conditions in braces", "- {when: {{ cap('a') }} and {{ 'b' in tools }}}\n", `f:1:10: a text that begins with {{ is taken for a map
  code: syntax
  hint: a condition is written without braces: cap('a') and 'b' in tools
`},
		{"condition in braces that begins with a quote", "a:\n  when: {{ 'b' in tools }}\n", `f:2:9: a text that begins with {{ is taken for a map
  code: syntax
  hint: a condition is written without braces: "'b' in tools"
`},
		{"condition as a tag of a template", "when: {% if tool('x') %}\n", `f:1:7: a text that begins with {% is taken for a map
  code: syntax
  hint: a condition is an expression without braces, such as tool('x')
`},
		{"text behind a word that ends with when", "since_when: {{ c }}\n", `f:1:13: a text that begins with {{ is taken for a map
  code: syntax
  hint: put the text between quotes, or into a block after |
`},
		{"text that begins with a tag of a template", "- {% if c %}d{% endif %}\n", `f:1:3: a text that begins with {% is taken for a map
  code: syntax
  hint: put the text between quotes, or into a block after |
`},
		{"text that begins with a star", "a: **b** c\n", `f:1:4: a text that begins with * is taken for an alias
  code: syntax
  hint: put the text between quotes, or into a block after |
`},
		{"text that begins with brackets", "a:\n  b: [c] d\n", `f:2:10: not readable as YAML: more text behind the end of the value
  code: syntax
  f:2:6: the value begins here
  hint: put the text between quotes, or into a block after |
`},
		{"text behind quotes", "a:\n  b: \"c\" d\n", `f:2:10: not readable as YAML: more text behind the end of the value
  code: syntax
  f:2:6: the value begins here
  hint: within double quotes one is written \"; put the whole text between quotes, or into a block after |
`},
		{"apostrophe between single quotes", "a:\n  b: 'Don't c'\n", `f:2:11: not readable as YAML: more text behind the end of the value
  code: syntax
  f:2:6: the value begins here
  hint: within single quotes one is written ''; put the text between quotes, or into a block after |
`},
		{"empty", "", ""},
		{"comment", "# nothing\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := YAML("f", []byte(c.file), cento.DefaultLimits())
			if got := archive.Error(t, err); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func manyKeys() string {
	var b strings.Builder
	for i := range 40 {
		b.WriteString("k" + strings.Repeat("x", i) + ": 1\n")
	}
	return b.String()
}

func TestJSONErrors(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"empty", " \n", `f:2:1: the file is empty, expected a JSON value
  code: syntax
  hint: write a JSON value, such as {} for an empty map
`},
		{"trailing comma", "{\"a\": [1,\n]}", `f:2:1: not readable as JSON: expected a value, got "]"
  code: syntax
  hint: JSON allows no comma before a closing bracket
`},
		{"trailing comma in map", "{\"a\": 1,}", `f:1:9: not readable as JSON: expected a key in quotes, got "}"
  code: syntax
  hint: JSON allows no comma before a closing bracket
`},
		{"open", "{\"a\": 1", `f:1:8: not readable as JSON: expected "," or "}", got the end of the file
  code: syntax
  f:1:1: not closed
  hint: the text is cut off, or a } or ] is missing
`},
		{"two values", "{} []", `f:1:4: not readable as JSON: expected the end of the file, got "["
  code: syntax
  hint: a text holds one JSON value; several are items of a list, between [ and ]
`},
		{"comment", "{} // x", `f:1:4: not readable as JSON: expected the end of the file, got "/"
  code: syntax
  hint: JSON has no comments
`},
		{"single quotes", "{'a': 1}", `f:1:2: not readable as JSON: expected a key in quotes, got "'"
  code: syntax
  hint: JSON writes texts between "
`},
		{"open text", "[\"abc]", `f:1:2: a text is not closed
  code: syntax
  hint: write " where the text ends
`},
		{"line end in text", "[\"ab\nc\"]", `f:1:5: a line end in a text
  code: syntax
  hint: write \n for a line end, \t for a tab
`},
		{"tab in text", "[\"ab\tc\"]", `f:1:5: control character U+0009 in a text
  code: syntax
  hint: write \n for a line end, \t for a tab
`},
		{"bad escape", `["C:\Users"]`, `f:1:5: "\\U" is no escape of JSON
  code: syntax
  hint: a backslash itself is written \\
`},
		{"short escape", `["\u12"]`, `f:1:3: "\\u" is no escape of JSON
  code: syntax
  hint: four digits, 0 to 9 and a to f, stand behind \u; a backslash itself is written \\
`},
		{"half surrogate", `["ä\ud800x"]`, `f:1:4: \ud800 is half of a surrogate pair
  code: syntax
  hint: write the character itself, or both halves, as in \ud83d\ude00
`},
		{"swapped surrogates", `["\ude00\ud83d"]`, `f:1:3: \ude00 is half of a surrogate pair
  code: syntax
  hint: write the character itself, or both halves, as in \ud83d\ude00
`},
		{"surrogate pair", `["\ud83d\ude00"]`, ""},
		{"written NUL", `["\u0000"]`, `f:1:3: a NUL character in a text
  code: syntax
  hint: take it out
`},
		{"NUL", "[\"\x00\"]", `f:1:3: a NUL byte stands in the text
  code: syntax
  hint: this doesn't look like a text file
`},
		{"not UTF-8", "[\"\xed\xa0\x80\"]", `f:1:3: byte 0xED is not UTF-8
  code: text.utf8
  hint: save the file as UTF-8
`},
		{"leading zero", "[01]", `f:1:3: not readable as JSON: expected "," or "]", got "1"
  code: syntax
  hint: a number doesn't begin with 0
`},
		{"plus", "[+1]", `f:1:2: not readable as JSON: expected a value, got "+"
  code: syntax
  hint: JSON writes numbers as 0.5, without a + before them
`},
		{"point", "[1.]", `f:1:4: not readable as JSON: expected a digit, got "]"
  code: syntax
  hint: JSON writes numbers as 0.5, 12 or 1e6
`},
		{"NaN", "[NaN]", `f:1:2: not readable as JSON: expected a value, got "N"
  code: syntax
  hint: a text stands between "; the words without are true, false and null
`},
		{"duplicates", `{"a": 1, "A": 2, "a": 3}`, `f:1:10: keys "a" and "A" differ in letter case alone
  code: key.duplicate
  f:1:2: given here first
  hint: keep one of the two
f:1:18: key "a" is given twice
  code: key.duplicate
  f:1:2: given here first
  hint: keep one of the two
`},
		{"duplicate by folding", "{\"k\": 1, \"\u212a\": 2}", "f:1:10: keys \"k\" and \"\u212a\" differ in letter case alone\n  code: key.duplicate\n  f:1:2: given here first\n  hint: keep one of the two\n"},
		{"duplicates before an open end", `{"a": {"b": 1, "b": 2}`, `f:1:16: key "b" is given twice
  code: key.duplicate
  f:1:8: given here first
  hint: keep one of the two
f:1:23: not readable as JSON: expected "," or "}", got the end of the file
  code: syntax
  f:1:1: not closed
  hint: the text is cut off, or a } or ] is missing
`},
		{"no quotes", "{\"a\": b}", `f:1:7: not readable as JSON: expected a value, got "b"
  code: syntax
  hint: a text stands between "; the words without are true, false and null
`},
		{"key without quotes", "{a: 1}", `f:1:2: not readable as JSON: expected a key in quotes, got "a"
  code: syntax
  hint: a key stands between ", as in {"name": 1}
`},
		{"curved quotes", "[“a”]", `f:1:2: not readable as JSON: expected a value, got "“"
  code: syntax
  hint: JSON writes texts between "
`},
		{"no colon", `{"a" 1}`, `f:1:6: not readable as JSON: expected ":", got "1"
  code: syntax
  hint: a colon stands between a key and its value
`},
		{"no comma", `[1 2]`, `f:1:4: not readable as JSON: expected "," or "]", got "2"
  code: syntax
  hint: a comma stands between two values
`},
		{"two commas", `[1,,2]`, `f:1:4: not readable as JSON: expected a value, got ","
  code: syntax
  hint: a value is missing before the comma
`},
		{"keys in a list", `["a": 1]`, `f:1:5: not readable as JSON: expected "," or "]", got ":"
  code: syntax
  hint: keys stand in a map, between { and }
`},
		{"wrong bracket", `{"a": 1]`, `f:1:8: not readable as JSON: expected "," or "}", got "]"
  code: syntax
  hint: a { is closed by }, and a [ by ]
`},
		{"no value", "[%]", `f:1:2: not readable as JSON: expected a value, got "%"
  code: syntax
  hint: a value is a text between ", a number, true, false, null, or something between { } or [ ]
`},
		{"merge conflict", "{\n<<<<<<< HEAD\n\"a\": 1}", `f:2:1: not readable as JSON: expected a key in quotes, got "<"
  code: syntax
  hint: settle the conflict: <<<<<<<, ======= and >>>>>>> are lines of a merge
`},
		{"mark", "\ufeff{}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := JSON("f", []byte(c.file), cento.DefaultLimits())
			if got := archive.Error(t, err); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
			for _, e := range cento.SourceErrors(err) {
				if e.Hint == "" {
					t.Errorf("%v has no next step", e)
				}
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	type inner struct {
		Name  string           `json:"name"`
		Place cento.Bucket     `json:"place,omitempty"`
		Size  int32            `json:"size,omitempty"`
		On    bool             `json:"on,omitempty"`
		More  []inner          `json:"more,omitempty"`
		Free  map[string]int   `json:"free,omitempty"`
		Opt   *Located[string] `json:"opt,omitempty"`
	}
	for _, c := range []struct{ name, file, want string }{
		{"good", "name: no\nplace: after\nsize: 0x1F\non: True\nmore: [{name: '1'}]\nfree: {a: -1}\nopt: 2001-01-01", ""},
		{"null is absent", "name: x\nplace:\nsize: ~\non: null\nmore: Null\nfree: \nopt: ~\n", ""},
		{"nothing for a text", "name: x\nopt: # Be kind.\n", `f:2:1: the key "opt" has no value
  code: key.missing
  hint: a text that begins with # stands between quotes, or in a block after |: else it is a comment; an empty text is written ""
`},
		{"list for map", "[]", "f:1:1: expected a map, got a list\n  code: value.type\n  hint: its keys are name, place, size, on, more, free, opt\n"},
		{"empty file", "", "f:1:1: expected a map, got nothing\n  code: value.type\n  hint: its keys are name, place, size, on, more, free, opt\n"},
		{"missing", "size: 1", "f:1:1: the key \"name\" is missing\n  code: key.missing\n  hint: add \"name\", a text\n"},
		{"null for a required key", "name:", "f:1:6: name: expected a text, got nothing\n  code: value.type\n  hint: a text that begins with # stands between quotes, or in a block after |: else it is a comment; an empty text is written \"\"\n"},
		{"unknown", "name: a\nplaec: after\nmore:\n- name: b\n  nmae: c\n", `f:2:1: unknown key "plaec"
  code: key.unknown
  hint: did you mean "place"? known here: name, place, size, on, more, free, opt
f:5:3: more[0]: unknown key "nmae"
  code: key.unknown
  hint: did you mean "name"? known here: name, place, size, on, more, free, opt
`},
		{"unknown, nothing near", "name: a\nzzz: 1", `f:2:1: unknown key "zzz"
  code: key.unknown
  hint: known here: name, place, size, on, more, free, opt
`},
		{"types", "name: [a]\nplace: 3\nsize: x\non: yes\nmore: {}\nfree: [1]\nopt: {}\n", `f:1:7: name: expected a text, got a list
  code: value.type
  hint: write one text, between quotes where it begins with [ or {
f:2:8: place: expected "before" or "after", got 3
  code: value.invalid
f:3:7: size: expected a whole number, got "x"
  code: value.type
  hint: write it in digits, such as 10
f:4:5: on: expected true or false, got "yes"
  code: value.type
  hint: write true or false
f:5:7: more: expected a list, got a map
  code: value.type
  hint: a list stands between [ and ], or has "- " before each item
f:6:7: free: expected a map, got a list
  code: value.type
  hint: its keys are names of your own, as in {name: …}
f:7:6: opt: expected a text, got a map
  code: value.type
  hint: write one text, between quotes where it begins with [ or {
`},
		{"numbers", "name: 1e3\nsize: 2147483648\nfree: {a: 1.5, b: 99999999999999999999, c: '1', d: 1e3}\n", `f:2:7: size: 2147483648 is out of range
  code: value.invalid
f:3:11: free.a: expected a whole number, got 1.5
  code: value.type
f:3:19: free.b: 99999999999999999999 is out of range
  code: value.invalid
f:3:44: free.c: expected a whole number, got "1"
  code: value.type
  hint: a number has no quotes
f:3:52: free.d: expected a whole number, got 1e3
  code: value.type
`},
		{"enumeration", "name: x\nplace: befor\nmore: [{name: y, place: []}]", `f:2:8: place: expected "before" or "after", got "befor"
  code: value.invalid
  hint: did you mean "before"?
f:3:25: more[0].place: expected "before" or "after", got a list
  code: value.type
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := YAML("f", []byte(c.file), cento.DefaultLimits())
			if err != nil {
				t.Fatal(err)
			}
			var v inner
			var d Decoder
			d.Decode(n, &v)
			if got := archive.Error(t, d.Err()); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
	t.Run("JSON has no bare texts", func(t *testing.T) {
		n, err := JSON("f", []byte(`{"name": 1, "opt": true}`), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		var v inner
		var d Decoder
		d.Decode(n, &v)
		const want = `f:1:10: name: expected a text, got 1
  code: value.type
  hint: put it between quotes
f:1:20: opt: expected a text, got true
  code: value.type
  hint: put it between quotes
`
		if got := archive.Error(t, d.Err()); got != want {
			t.Errorf("got:\n%s\nwant:\n%s", got, want)
		}
	})
}

// A bare scalar is the text that stands there, where a text is wanted.
func TestBareScalarsAreTexts(t *testing.T) {
	for _, s := range []string{"no", "2001-01-01", "0o17", "1e3", "007", "1_000", "true", ".inf", "0x1F", "12:30:00", "<<"} {
		n, err := YAML("f", []byte("- "+s), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := n.Items()[0].Text(); !ok || got != s {
			t.Errorf("%s reads as %q", s, got)
		}
	}
}

// YAML's numbers are written as the same numbers in JSON.
func TestNumbersAsJSON(t *testing.T) {
	for in, want := range map[string]string{
		"0o17": "15", "0x1F": "31", "+12": "12", "007": "7", "-0": "-0", "1.": "1", ".5": "0.5", "-.5e3": "-0.5e3", "1.e3": "1e3",
		"12e03": "12e03", "no": `"no"`, "True": "true", "~": "null", "2001-01-01": `"2001-01-01"`, "1_0": `"1_0"`, "-": `"-"`, ".": `"."`,
		"9007199254740993": "9007199254740993", "1e999": "error", ".inf": "error", "-.INF": "error", ".nan": "error", "0xFFFFFFFFFFFFFFFFFF": "error",
		"-0x1": `"-0x1"`, "0o8": `"0o8"`, "1e": `"1e"`, "+": `"+"`, "000": "0", "-00.0": "-0.0",
	} {
		n := Node{kind: coreKind(in), style: plain, text: in, src: &source{name: "f"}}
		got, err := n.AppendJSON(nil)
		if err != nil {
			got = []byte("error")
		}
		if string(got) != want {
			t.Errorf("%s is written %s, want %s", in, got, want)
		}
	}
}

// Whoever leaves a key out is told what belongs there: by its description where it has
// one, else by the kind of its value.
func TestHintsOfMissingKeys(t *testing.T) {
	type inner struct { // a member of this name doesn't make it Located
		Value string `json:"value"`
	}
	var v struct {
		Described string          `json:"described" jsonschema:"What it is about; white space counts."`
		Acronym   string          `json:"acronym" jsonschema:"RFC 3339 time."`
		Text      string          `json:"text"`
		Located   Located[string] `json:"located"`
		Pointed   *string         `json:"pointed"`
		List      []int           `json:"list"`
		Name      cento.Bucket    `json:"name"`
		Number    int             `json:"number"`
		Map       inner           `json:"map"`
		Free      string          `json:"free,omitempty"`
	}
	n, err := JSON("f", []byte("{}"), cento.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	var d Decoder
	d.Decode(n, &v)
	var got []string
	for _, e := range cento.SourceErrors(d.Err()) {
		got = append(got, e.Hint)
	}
	want := []string{
		`add "described": what it is about; white space counts`, `add "acronym": RFC 3339 time`, `add "text", a text`, `add "located", a text`,
		`add "pointed", a text`, `add "list", a list`, `add "name": "before" or "after"`, `add "number"`, `add "map"`,
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
