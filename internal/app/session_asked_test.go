package app

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/project"
)

// TestDiffers: each field of a request, of what is handed over and of a what-if either asks
// for another prompt or doesn't.
func TestDiffers(t *testing.T) {
	if Differs(Request{}, Handed{}, WhatIf{}) {
		t.Error("nothing differs")
	}
	asks := []string{
		"Target", "Model", "Budget", "Vars", "Assignments", "ToolsName", "ToolsText", "Skills", "Profile", "Manifest", "ManifestText",
	}
	// Which project is read, where, how and for whom; and what no door takes from a request.
	doesnt := []string{
		"Dir", "Disk", "Home", "Config", "Clients", "ManifestName", "Copy", "Folder", "Portable", "Committed", "ModelAt", "Models", "Now", "Prefixes",
		"Env", "AllowMCP", "Servers", "Lister", "Frozen", "Unlocked", "Session",
		"Host", "Primary", "Caps", "Wording", "Stack", "Tools", "OnlyTools", "Signals", "Layers",
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Request]()) {
		var r Request
		reflect.ValueOf(&r).Elem().Field(i).Set(some(f.Type))
		if !slices.Contains(asks, f.Name) && !slices.Contains(doesnt, f.Name) {
			t.Errorf("whether Request.%s asks for another prompt isn't decided", f.Name)
		} else if got := Differs(r, Handed{}, WhatIf{}); got != slices.Contains(asks, f.Name) {
			t.Errorf("Request.%s: Differs is %v", f.Name, got)
		}
	}
	for i, f := range reflect.VisibleFields(reflect.TypeFor[WhatIf]()) {
		var w WhatIf
		reflect.ValueOf(&w).Elem().Field(i).Set(reflect.ValueOf([]string{"x"}))
		if !Differs(Request{}, Handed{}, w) {
			t.Errorf("WhatIf.%s changes nothing", f.Name)
		}
	}
	for _, h := range []Handed{{Host: cento.Host{SystemPrefix: cento.HostOption{IsList: true}}}, {System: &cento.Text{}}, {Parts: []cento.Fragment{}}, {Fragments: []cento.Fragment{{}}}} {
		if !Differs(Request{}, h, WhatIf{}) {
			t.Errorf("%+v changes nothing", h)
		}
	}
	for vars, want := range map[string]bool{"{}": false, "{ }": false, `{"a": 1}`: true, "": false, "[": true} {
		if got := Differs(Request{Vars: []byte(vars)}, Handed{}, WhatIf{}); got != want {
			t.Errorf("the variables %s: Differs is %v", vars, got)
		}
	}
	if !Differs(Request{}, Handed{}, WhatIf{Tools: []string{}}) || !Differs(Request{Skills: []string{}}, Handed{}, WhatIf{}) {
		t.Error("none instead of some is no change")
	}
}

// some is a value of a type that isn't its zero.
func some(of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		return reflect.MakeSlice(of, 1, 1)
	case reflect.Map:
		return reflect.MakeMap(of)
	case reflect.Pointer:
		return reflect.New(of.Elem())
	case reflect.Uint8, reflect.Int:
		v = reflect.ValueOf(project.NoServers).Convert(of)
	}
	return v
}
