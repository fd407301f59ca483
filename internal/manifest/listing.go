package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/project/consent"
)

// listingFile is a listing as it is read.
type listingFile struct {
	Instructions *text        `json:"instructions,omitempty"`
	Tools        *strict.Node `json:"tools"`
}

// only is a map with some of its members.
func only(n *strict.Node, names ...string) *strict.Node {
	var others []string
	for k := range n.Members() {
		if name, _ := k.Text(); !slices.Contains(names, name) {
			others = append(others, name)
		}
	}
	return n.Without(others...)
}

// ReadListing reads a listing as strictly as a file of tools, since a stranger
// wrote it. A tool whose name no tool can have is left out, with a note: the server
// can't be told to change it; nor can it mend a schema, so what is wrong there is a
// note. Its positions are those of the text that `cento tools show` prints.
func ReadListing(s consent.Server, listing string, limits cento.Limits) (Tools, *cento.Text, error) {
	limits = limits.Or(cento.DefaultLimits())
	limits.File = consent.MaxListing
	n, err := strict.JSON("<mcp:"+s.Name+">", []byte(listing), limits)
	if err != nil {
		return Tools{}, nil, err
	}
	d := strict.Decoder{Trust: cento.TrustTool}
	var f listingFile
	if n.Kind() == strict.Map {
		n = only(n, "instructions", "tools")
	}
	d.Decode(n, &f)
	var t Tools
	if f.Tools != nil {
		if f.Tools.Kind() != strict.List {
			d.Expected(f.Tools, strict.List.String())
		}
		t.list(&d, f.Tools, inListing)
		t.Listed, t.Active = false, nil // a list without tools is one
	}
	if err := d.Err(); err != nil {
		return Tools{}, nil, err
	}
	t.Defined = slices.DeleteFunc(t.Defined, func(x cento.Tool) bool { return t.leaveOut(s.Prefix+x.Name, x.Origin) })
	for i := range t.Defined {
		t.Defined[i].Name, t.Defined[i].Server = s.Prefix+t.Defined[i].Name, s.Name
	}
	const most = 20
	if further := len(t.leftOut) - most; further > 0 {
		t.leftOut = append(t.leftOut[:most:most], cento.Note{Code: CodeToolName, Position: f.Tools.Position(), Message: fmt.Sprintf("and %d more tools with such names are left out", further)})
	}
	t.Notes = slices.Concat(t.Notes, t.leftOut, t.schemaNotes(f.Tools.Position()))
	if f.Instructions == nil || strings.TrimSpace(f.Instructions.Value) == "" {
		return t, nil, nil
	}
	return t, textOf(f.Instructions, cento.TrustTool), nil
}
