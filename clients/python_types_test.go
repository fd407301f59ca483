package clients_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const pythonHead = `"""%s

Made of the OpenAPI document of the service by ` + "`go test ./clients -update`" + `.
"""

`

// pythonWord is a name that Python takes: some are words of the language.
func pythonWord(key string) string {
	if slices.Contains([]string{"and", "as", "class", "for", "from", "global", "if", "import", "in", "is", "lambda", "not", "or", "pass", "return", "with"}, key) {
		return key + "_"
	}
	return strings.ReplaceAll(key, "-", "_")
}

// pythonAnswers writes the classes of answers.
func pythonAnswers(d *document, names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, pythonHead, "The objects of answers. A later version may add keys.")
	b.WriteString("from __future__ import annotations\n\nfrom typing import Any, Dict, List, Optional\n\nfrom .value import Value\n")
	for _, name := range names {
		s := d.Components.Schemas[name]
		fmt.Fprintf(&b, "\n\nclass %s(Value):\n    __slots__ = ()\n", typeName(name))
		var shapes, keys, fields []string
		for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
			word := pythonWord(key)
			if word != key {
				keys = append(keys, fmt.Sprintf("%q: %q", word, key))
			}
			of, null := s.Properties[key].bare()
			shape, typ := pythonShape(of), pythonType(of, false)
			if shape == "" {
				shape = "None"
			}
			shapes = append(shapes, fmt.Sprintf("        %q: %s,\n", word, shape))
			many := of.list() || of.values() != nil
			if (null || !slices.Contains(s.Required, key)) && !many && typ != "Any" {
				typ = "Optional[" + typ + "]"
			}
			fields = append(fields, fmt.Sprintf("    %s: %s\n", word, typ))
		}
		if len(shapes) > 0 {
			fmt.Fprintf(&b, "    _shapes = {\n%s    }\n", strings.Join(shapes, ""))
		}
		if len(keys) > 0 {
			fmt.Fprintf(&b, "    _keys = {%s}\n", strings.Join(keys, ", "))
		}
		b.WriteString(strings.Join(fields, ""))
	}
	return b.String()
}

// pythonShape is what an attribute is made into; empty for what is as it is.
func pythonShape(s *schema) string {
	switch values := s.values(); {
	case s.Ref != "":
		return strconv.Quote(typeName(nameOf(s.Ref)))
	case s.list():
		of, _ := s.Items.bare()
		if shape := pythonShape(of); shape != "" {
			return "[" + shape + "]"
		}
		return "[None]"
	case values != nil:
		of, _ := values.bare()
		if shape := pythonShape(of); shape != "" {
			return `{"*": ` + shape + `}`
		}
		return `{"*": None}`
	}
	return ""
}

// pythonType is the type of a value; of a request the widest that can be handed over.
func pythonType(s *schema, request bool) string {
	s, null := s.bare()
	typ := pythonBare(s, request)
	if null && !request && typ != "Any" {
		return "Optional[" + typ + "]"
	}
	return typ
}

func pythonBare(s *schema, request bool) string {
	list, dict := "List", "Dict"
	if request {
		list, dict = "Sequence", "Mapping"
	}
	values := s.values()
	switch {
	case s.Ref != "" && request:
		return "Any" // an object that is handed over is a dict, and the reader of requests tells what is wrong with it
	case s.Ref != "":
		return typeName(nameOf(s.Ref))
	case len(s.AnyOf) > 0:
		var of []string
		for _, x := range s.AnyOf {
			if typ := pythonType(x, request); !slices.Contains(of, typ) {
				of = append(of, typ)
			}
		}
		if len(of) == 1 {
			return of[0]
		}
		return "Union[" + strings.Join(of, ", ") + "]"
	case s.Items != nil:
		return list + "[" + pythonType(s.Items, request) + "]"
	case values != nil:
		return dict + "[str, " + pythonType(values, request) + "]"
	case len(s.Type) > 1:
		return "Any"
	case len(s.Type) == 0 && len(s.Enum) > 0:
		return "str"
	case len(s.Type) == 0:
		return "Any"
	}
	return map[string]string{"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": dict + "[str, Any]", "array": list + "[Any]"}[s.Type[0]]
}

// pythonOperations writes the methods of clients, once to wait and once to await.
func pythonOperations(d *document) string {
	var b strings.Builder
	fmt.Fprintf(&b, pythonHead, "The methods of clients.")
	b.WriteString("from typing import Any, Awaitable, Callable, Dict, Mapping, Optional, Sequence, Type, TypeVar, Union\n\nfrom . import answers\nfrom .value import Value\n\nV = TypeVar(\"V\", bound=Value)\n")
	all, served := d.projectOperations()
	fmt.Fprintf(&b, "\n# Operations about a project, and those that a service answers about its own.\nPROJECT_OPERATIONS = frozenset(%s)\nSERVED_OPERATIONS = frozenset(%s)\n", pythonList(all), pythonList(served))
	for _, async := range []bool{false, true} {
		def, await, class := "def", "", "Operations"
		if async {
			def, await, class = "async def", "await ", "AsyncOperations"
		}
		fmt.Fprintf(&b, "\n\nclass %s:\n    %s _ask(self, op: str, request: Dict[str, Any], answer: Type[V]) -> V:\n        raise NotImplementedError\n", class, def)
		for _, o := range d.tagged("operations") {
			given := parameters(o.body(d))
			answer := "answers." + typeName(o.answer())
			fmt.Fprintf(&b, "\n    %s %s(\n        self,\n        *,\n%s    ) -> %s:\n", def, pythonWord(o.ID), pythonArguments(given), answer)
			pythonDoc(&b, o.Summary, given)
			fmt.Fprintf(&b, "        return %sself._ask(\n            %q,\n%s            %s,\n        )\n", await, o.ID, pythonBody(given), answer)
		}
	}
	for _, async := range []bool{false, true} {
		def, await, prefix, route := "def", "", "", "Callable[..., Any]"
		if async {
			def, await, prefix, route = "async def", "await ", "Async", "Callable[..., Awaitable[Any]]"
		}
		for i := range groups {
			g := &groups[i]
			fmt.Fprintf(&b, "\n\nclass %s%s:\n    \"\"\"%s\"\"\"\n\n    def __init__(self, route: %s, project: Optional[str]) -> None:\n        self._route = route\n        self._project = project\n", prefix, g.class, g.about, route)
			for _, o := range g.of(d) {
				pythonMethod(&b, d, g, o, def, await)
			}
		}
	}
	return b.String()
}

// pythonMethod writes a method of a group.
func pythonMethod(b *strings.Builder, d *document, g *group, o *operation, def, await string) {
	given := parameters(o.body(d))
	project := slices.IndexFunc(given, func(p parameter) bool { return p.key == "project" })
	if project >= 0 {
		given[project].required, given[project].about = false, "Name of the project; default the client's."
	}
	var at, headers, query []string
	arguments, about := "", slices.Clone(given)
	lead := ""
	for _, p := range o.Parameters {
		word, text := pythonWord(strings.ToLower(p.Name)), p.Description
		switch {
		case p.In == "path":
			place := places[p.Name]
			if place == "project" {
				arguments += "        project: Optional[str] = None,\n"
				at = append(at, `"project": self._project if project is None else project`)
				about = append(about, parameter{key: "project", about: "Name of the project; default the client's."})
				continue
			}
			lead += "        " + place + ": str,\n"
			at = append(at, fmt.Sprintf("%q: %s", p.Name, place))
			continue
		case p.Name == "If-Match":
			word = "expect"
			arguments += "        expect: Optional[int] = None,\n"
			headers = append(headers, fmt.Sprintf("%q: expect", p.Name))
		case p.Name == "Idempotency-Key":
			word = "key"
			arguments += "        key: Optional[str] = None,\n"
			headers = append(headers, fmt.Sprintf("%q: key", p.Name))
		case p.In == "query":
			arguments += "        " + word + ": Union[str, int, None] = None,\n"
			query = append(query, fmt.Sprintf("%q: %s", p.Name, word))
		default:
			panic("a header that no argument gives: " + p.Name)
		}
		about = append(about, parameter{key: word, about: text})
	}
	given = slices.Clone(given)
	slices.SortStableFunc(given, func(a, b parameter) int {
		if a.required == b.required {
			return 0
		} else if a.required {
			return -1
		}
		return 1
	})
	star := ""
	if len(given) > 0 || arguments != "" {
		star = "        *,\n"
	}
	answer, wrap := "Optional[str]", "%s"
	if name := o.answer(); name != "" {
		answer = "answers." + typeName(name)
		wrap = answer + "(%s)"
	} else if _, text := o.Responses["200"].Content["application/json"]; text || o.method == "DELETE" {
		answer = "Any"
	}
	name := strings.ReplaceAll(g.method(o), "-", "_")
	fmt.Fprintf(b, "\n    %s %s(\n        self,\n%s%s%s%s    ) -> %s:\n", def, pythonWord(name), lead, star, pythonArguments(given), arguments, answer)
	pythonDoc(b, o.Summary, about)
	body := "None"
	if o.RequestBody != nil {
		body = "{" + strings.Join(pythonPairs(given), ", ") + "}"
		body = strings.Replace(body, `"project": project`, `"project": self._project if project is None else project`, 1)
	}
	asked := fmt.Sprintf("%sself._route(%q, %q, {%s}, %s, {%s}, {%s})", await, o.method, o.path, strings.Join(at, ", "), body, strings.Join(query, ", "), strings.Join(headers, ", "))
	if answer == "Optional[str]" {
		fmt.Fprintf(b, "        text: Optional[str] = %s\n        return text\n", asked)
		return
	}
	fmt.Fprintf(b, "        return "+wrap+"\n", asked)
}

func pythonList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func pythonArguments(given []parameter) string {
	var b strings.Builder
	for _, p := range given {
		typ := pythonType(p.of, true)
		switch {
		case p.required:
			fmt.Fprintf(&b, "        %s: %s,\n", pythonWord(p.key), typ)
		case typ == "Any":
			fmt.Fprintf(&b, "        %s: Any = None,\n", pythonWord(p.key))
		default:
			fmt.Fprintf(&b, "        %s: Optional[%s] = None,\n", pythonWord(p.key), typ)
		}
	}
	return b.String()
}

func pythonPairs(given []parameter) []string {
	out := make([]string, len(given))
	for i, p := range given {
		out[i] = fmt.Sprintf("%q: %s", p.key, pythonWord(p.key))
	}
	return out
}

func pythonBody(given []parameter) string {
	var b strings.Builder
	b.WriteString("            {\n")
	for _, pair := range slices.Sorted(slices.Values(pythonPairs(given))) {
		b.WriteString("                " + pair + ",\n")
	}
	b.WriteString("            },\n")
	return b.String()
}

// pythonDoc writes what a method is for, and what its arguments are.
func pythonDoc(b *strings.Builder, summary string, given []parameter) {
	fmt.Fprintf(b, "        \"\"\"%s%s.\n", strings.ToUpper(summary[:1]), summary[1:])
	blank := "\n"
	for _, p := range given {
		if p.about == "" || strings.HasPrefix(p.about, "as docs/") {
			continue
		}
		text := strings.ReplaceAll(strings.ReplaceAll(p.about, `\`, `\\`), `"""`, `\"\"\"`)
		fmt.Fprintf(b, "%s        %s: %s\n", blank, pythonWord(p.key), text)
		blank = ""
	}
	b.WriteString("        \"\"\"\n")
}
