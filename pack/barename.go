package pack

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/jinja"
)

// A condition that is a name alone, such as `bash` or `language.rust`, reads a variable
// that there isn't. Whoever writes one means a tool or a capability.

// maxCompared bounds how many names are compared to propose one.
const maxCompared = 100_000

// bareName is what stands in a condition where it reads a name: all of it that a tool
// or a capability may be called, so read-file and not read alone. It is the path of
// the name where that isn't what stands there, as in (read).file.
func bareName(text string, ref jinja.Ref) string {
	text = text[ref.Start:]
	if !strings.HasPrefix(text, ref.Root) {
		return ref.Path
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !isNameRune(r) })
	if end < 0 {
		end = len(text)
	}
	return strings.TrimRight(text[:end], ".:/-")
}

// memberStart is the first byte of the first attribute of a name: behind the dot, or in
// the brackets. It is that of the name itself where none can be told.
func memberStart(ref jinja.Ref, text string) int {
	rest, ok := strings.CutPrefix(text[ref.Start:], ref.Root)
	name := strings.TrimLeft(rest, " \t\r\n.[")
	if !ok || name == "" {
		return ref.Start
	}
	return len(text) - len(name)
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_.:/-", r)
}

// VariableHint says what to write for a declared variable that is read by its name alone.
func VariableHint(name string) string {
	return "the variables of a project stand below vars: write vars." + name
}

// NothingHint says what to write for a word by which other languages know what is nothing,
// or isn't there; empty for other names.
func NothingHint(name string) string {
	switch strings.ToLower(name) {
	case "null", "nil":
		return "what is nothing is none: write `is none`, or `is not none`"
	case "undefined":
		return "write `is defined`, or `is not defined`"
	}
	return ""
}

// meant says what to write instead of a name, and what of it is that name; empty where
// it is no name of anything known. root is the variable that it begins with.
func (c *conditions) meant(name, root, text string) (whole, hint string) {
	if slices.Contains(c.declared, root) {
		return "", VariableHint(root)
	}
	if hint := NothingHint(root); hint != "" {
		return "", hint
	}
	for _, function := range []string{"tool", "cap"} {
		if strings.Contains(text, function+"("+root+")") {
			return "", "a name stands in quotes: write " + function + "('" + root + "')"
		}
	}
	var tools, caps []string
	if c.known != nil {
		tools, caps = c.known()
	}
	for _, n := range []string{name, root} {
		switch tool, capability := slices.Contains(tools, n), slices.Contains(caps, n); {
		case tool && capability:
			return n, "write " + question("tool", n) + " or " + question("cap", n)
		case tool:
			return n, "write " + question("tool", n)
		case capability:
			return n, "write " + question("cap", n)
		case slices.Contains(modelFields, n):
			return "", "write model." + n
		}
	}
	if near, ok := nearest.Name(root, conditionRoots); ok {
		return "", "did you mean " + quote(near) + "?"
	}
	if c.compared.Add(int64(len(tools)+len(caps))) > maxCompared { // who gets very many wrong needs no proposals
		tools, caps = nil, nil
	}
	if k := slices.IndexFunc(caps, func(known string) bool { return strings.HasSuffix(known, "."+name) }); k >= 0 {
		return name, "did you mean " + question("cap", caps[k]) + "?"
	}
	for _, n := range []string{name, root} {
		if near, ok := nearest.Name(n, tools); ok {
			return n, "did you mean " + question("tool", near) + "?"
		}
		if near, ok := nearest.Name(n, caps); ok {
			return n, "did you mean " + question("cap", near) + "?"
		}
	}
	return "", "ask for a tool with " + question("tool", root) + ", for a capability with " + question("cap", root) +
		"; a condition reads " + strings.Join(conditionRoots, ", ")
}

// question is a condition that asks for a tool or a capability.
func question(function, name string) string { return function + "('" + name + "')" }

// namesAround are the tools and capabilities that an input names.
func namesAround(in *cento.Input) (tools, caps []string) {
	tools, caps = slices.Clone(in.Active.Tools), slices.Clone(in.Active.Caps)
	for i := range in.Tools {
		tools = append(tools, in.Tools[i].Name)
	}
	for _, list := range [][]cento.Fragment{in.Fragments, in.Profile, in.Primary.Sections, in.Primary.Parts} {
		for i := range list {
			tools = append(append(tools, list[i].RequiresTools...), list[i].RequiresAnyTools...)
			caps = append(caps, list[i].RequiresCaps...)
		}
	}
	slices.Sort(tools)
	slices.Sort(caps)
	return slices.Compact(tools), slices.Compact(caps)
}
