package clients_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const typescriptHead = "// %s\n// Made of the OpenAPI document of the service by `go test ./clients -update`.\n"

// typescriptName is what clients call a schema: requests are those of operations, and
// their parts what is given in one.
func typescriptName(d *document, schema string) string {
	name, request := strings.CutPrefix(schema, "request.")
	switch {
	case !request:
		return typeName(schema)
	case d.Paths["/v1/"+name] != nil || name == "session":
		return titled(name) + "Request"
	}
	return "Given" + titled(name)
}

var wordForm = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// typescriptType is the type of a value.
func typescriptType(d *document, s *schema, indent string) string {
	values := s.values()
	var of []string
	add := func(typ string) {
		if !slices.Contains(of, typ) {
			of = append(of, typ)
		}
	}
	switch {
	case s.Ref != "":
		return typescriptName(d, nameOf(s.Ref))
	case len(s.AnyOf) > 0:
		if of, _ := s.bare(); of.list() || of.values() != nil {
			return typescriptType(d, of, indent) // TestListsAreNeverNull
		}
		for _, x := range s.AnyOf {
			add(typescriptType(d, x, indent))
		}
	case len(s.Enum) > 0:
		for _, x := range s.Enum {
			text, err := json.Marshal(x)
			if err != nil {
				panic(err)
			}
			add(string(text))
		}
	case len(s.Type) == 0 && len(s.Properties) == 0:
		return "unknown"
	default:
		for _, kind := range s.Type {
			switch kind {
			case "integer":
				kind = "number"
			case "array":
				kind = "unknown[]"
				if s.Items != nil {
					if kind = typescriptType(d, s.Items, indent); strings.ContainsAny(kind, " |") && !strings.HasPrefix(kind, "{") || strings.Contains(kind, " | ") {
						kind = "(" + kind + ")"
					}
					kind += "[]"
				}
			case "object":
				switch {
				case len(s.Properties) > 0:
					kind = typescriptObject(d, s, indent)
				case values != nil:
					kind = "Record<string, " + typescriptType(d, values, indent) + ">"
				default:
					kind = "Record<string, unknown>"
				}
			}
			add(kind)
		}
	}
	if slices.Contains(of, "unknown") {
		return "unknown"
	}
	return strings.Join(of, " | ")
}

// typescriptObject is the type of an object with keys.
func typescriptObject(d *document, s *schema, indent string) string {
	var b strings.Builder
	b.WriteString("{\n")
	for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[key]
		if about := strings.ReplaceAll(p.Description, "*/", "* /"); about != "" && !strings.HasPrefix(about, "as docs/") {
			fmt.Fprintf(&b, "%s  /** %s */\n", indent, about)
		}
		word, mark := key, "?"
		if !wordForm.MatchString(key) {
			word = fmt.Sprintf("%q", key)
		}
		if slices.Contains(s.Required, key) {
			mark = ""
		}
		fmt.Fprintf(&b, "%s  %s%s: %s;\n", indent, word, mark, typescriptType(d, p, indent+"  "))
	}
	b.WriteString(indent + "}")
	return b.String()
}

// typescriptTypes declares answers, requests and methods.
func typescriptTypes(d *document, names []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, typescriptHead, "The types of requests and answers, and the methods of clients. A later version may\n// add keys to answers.")
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	for name := range d.Components.Schemas {
		if strings.HasPrefix(name, "request.") {
			seen[name] = true
		}
	}
	for _, o := range d.grouped() {
		if o.RequestBody != nil {
			d.below(nameOf(o.RequestBody.Content["application/json"].Schema.Ref), seen)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		s := d.Components.Schemas[name]
		if len(s.Properties) > 0 {
			fmt.Fprintf(&b, "\nexport interface %s %s\n", typescriptName(d, name), typescriptObject(d, s, ""))
			continue
		}
		fmt.Fprintf(&b, "\nexport type %s = %s;\n", typescriptName(d, name), typescriptType(d, s, ""))
	}
	b.WriteString("\n/** Operations about a project, and those that a service answers about its own. */\nexport const projectOperations: ReadonlySet<string>;\nexport const servedOperations: ReadonlySet<string>;\n")
	b.WriteString("\nexport abstract class Operations {\n  abstract call(op: string, request?: object): Promise<any>;\n")
	for _, o := range d.tagged("operations") {
		mark := "?"
		if len(o.body(d).Required) > 0 {
			mark = ""
		}
		fmt.Fprintf(&b, "  /** %s. */\n  %s(request%s: %s): Promise<%s>;\n", titled(o.Summary), o.ID, mark, typescriptName(d, nameOf(o.RequestBody.Content["application/json"].Schema.Ref)), typeName(o.answer()))
	}
	b.WriteString("}\n\n/** What a transition of a session asks for besides. */\nexport interface Transition {\n  /** The version that the session must have. */\n  expect?: number;\n  /** Asked for again with the same one, it is not done again; default one of the client's making. */\n  key?: string;\n}\n")
	b.WriteString("\nexport type Route = (\n  method: string, path: string, places: Record<string, string>, body: object | undefined, query: Record<string, unknown>, headers: Record<string, unknown>,\n) => Promise<any>;\n")
	for i := range groups {
		g := &groups[i]
		fmt.Fprintf(&b, "\n/** %s */\nexport class %s {\n  constructor(route: Route, project?: string);\n", g.about, g.class)
		for _, o := range g.of(d) {
			m := typescriptMethod(d, g, o)
			answer := "string | null"
			if name := o.answer(); name != "" {
				answer = typeName(name)
			} else if _, json := o.Responses["200"].Content["application/json"]; json {
				answer = "unknown"
			}
			fmt.Fprintf(&b, "  /** %s. */\n  %s(%s): Promise<%s>;\n", titled(o.Summary), m.name, strings.Join(m.typed, ", "), answer)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// below marks a schema and those that it refers to.
func (d *document) below(name string, seen map[string]bool) {
	if seen[name] {
		return
	}
	seen[name] = true
	for _, p := range d.Components.Schemas[name].Properties {
		of, _ := p.bare()
		if of.Items != nil {
			of, _ = of.Items.bare()
		}
		if of.Ref != "" {
			d.below(nameOf(of.Ref), seen)
		}
	}
}

// method is one of a group.
type method struct {
	name                   string
	typed, plain           []string
	body                   string
	places, query, headers []string
}

func typescriptMethod(d *document, g *group, o *operation) method {
	words := strings.Split(g.method(o), "-")
	m := method{name: words[0], body: "undefined"}
	for _, w := range words[1:] {
		m.name += titled(w)
	}
	transition, ofProject := false, false
	var queried []string
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			place := places[p.Name]
			if ofProject = place == "project"; ofProject {
				m.places = append(m.places, "project: project ?? this.#project")
				continue
			}
			m.typed, m.plain = append(m.typed, place+": string"), append(m.plain, place)
			m.places = append(m.places, p.Name+": "+place)
		case p.In == "query":
			queried = append(queried, p.Name+"?: string | number | boolean")
			m.query = append(m.query, p.Name+": query."+p.Name)
		case p.Name == "If-Match":
			transition = true
			m.headers = append(m.headers, `"If-Match": options.expect`)
		case p.Name == "Idempotency-Key":
			transition = true
			m.headers = append(m.headers, `"Idempotency-Key": options.key`)
		default:
			panic("a header that no argument gives: " + p.Name)
		}
	}
	if o.RequestBody != nil {
		body := o.body(d)
		typ, mark, value := typescriptName(d, nameOf(o.RequestBody.Content["application/json"].Schema.Ref)), "?", "request = {}"
		if slices.Contains(body.Required, "project") { // the client's, where none is named
			typ = "Omit<" + typ + ", \"project\"> & { project?: string }"
		}
		if len(body.Required) > 0 {
			mark, value = "", "request"
		}
		m.typed, m.plain, m.body = append(m.typed, "request"+mark+": "+typ), append(m.plain, value), "request"
		if slices.Contains(body.Required, "project") {
			m.body = "{ project: this.#project, ...request }"
		}
	}
	if len(queried) > 0 {
		m.typed, m.plain = append(m.typed, "query?: { "+strings.Join(queried, "; ")+" }"), append(m.plain, "query = {}")
	}
	if ofProject {
		m.typed, m.plain = append(m.typed, "project?: string"), append(m.plain, "project")
	}
	if transition {
		m.typed, m.plain = append(m.typed, "options?: Transition"), append(m.plain, "options = {}")
	}
	return m
}

// typescriptOperations writes the methods of clients.
func typescriptOperations(d *document) string {
	var b strings.Builder
	fmt.Fprintf(&b, typescriptHead, "The methods of clients.\n// @ts-nocheck its types are in operations.d.ts")
	all, served := d.projectOperations()
	fmt.Fprintf(&b, "\nexport const projectOperations = new Set(%s);\nexport const servedOperations = new Set(%s);\n", pythonList(all), pythonList(served))
	b.WriteString("\nexport class Operations {\n")
	for _, o := range d.tagged("operations") {
		fmt.Fprintf(&b, "  async %s(request = {}) {\n    return await this.call(%q, request);\n  }\n", o.ID, o.ID)
	}
	b.WriteString("}\n")
	for i := range groups {
		g := &groups[i]
		fmt.Fprintf(&b, "\nexport class %s {\n  #route;\n  #project;\n\n  constructor(route, project) {\n    this.#route = route;\n    this.#project = project;\n  }\n", g.class)
		for _, o := range g.of(d) {
			m := typescriptMethod(d, g, o)
			fmt.Fprintf(&b, "\n  async %s(%s) {\n    return await this.#route(%q, %q, {%s}, %s, {%s}, {%s});\n  }\n", m.name, strings.Join(m.plain, ", "), o.method, o.path,
				spaced(m.places), m.body, spaced(m.query), spaced(m.headers))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// spaced are the members of an object.
func spaced(members []string) string {
	if len(members) == 0 {
		return ""
	}
	return " " + strings.Join(members, ", ") + " "
}
