package call_test

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/workspace"
)

// TestCheckScope holds the request and the answer as other programs see them.
func TestCheckScope(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths of this example have no drive")
	}
	const request = `{
		"scope": {
			"allow": [
				{"target": "/nowhere", "permission": "read"},
				{"target": "src", "permission": "write"},
				{"target": "/nowhere/top", "permission": "write", "recursive": false}
			],
			"deny": [{"target": "/nowhere/src/secret", "permission": "read"}, {"target": "src/gen", "permission": "write"}]
		},
		"base": "/nowhere",
		"paths": ["/nowhere/a", "src/x.go", "/nowhere/src/secret/k", "src/gen/y.go", "top/a", "top/a/b", "/elsewhere", "./top"]
	}`
	const answer = `{
		"summary": "Readable:\n  - /nowhere\n  - /nowhere/src\n  - /nowhere/top [non-recursive]\nWritable:\n  - /nowhere/src\n  - /nowhere/top [non-recursive]",
		"permissions": {
			"/nowhere/a": "read", "src/x.go": "write", "/nowhere/src/secret/k": "none", "src/gen/y.go": "read",
			"top/a": "write", "top/a/b": "read", "/elsewhere": "none", "./top": "write"
		},
		"rules": {
			"/nowhere/a": [{"effect": "allow", "target": "/nowhere", "permission": "read", "recursive": true}],
			"src/x.go": [{"effect": "allow", "target": "/nowhere/src", "permission": "write", "recursive": true}],
			"/nowhere/src/secret/k": [
				{"effect": "allow", "target": "/nowhere/src", "permission": "write", "recursive": true},
				{"effect": "deny", "target": "/nowhere/src/secret", "permission": "read", "recursive": true}],
			"src/gen/y.go": [
				{"effect": "allow", "target": "/nowhere/src", "permission": "write", "recursive": true},
				{"effect": "deny", "target": "/nowhere/src/gen", "permission": "write", "recursive": true}],
			"top/a": [{"effect": "allow", "target": "/nowhere/top", "permission": "write", "recursive": false}],
			"top/a/b": [{"effect": "allow", "target": "/nowhere", "permission": "read", "recursive": true}],
			"/elsewhere": [],
			"./top": [{"effect": "allow", "target": "/nowhere/top", "permission": "write", "recursive": false}]
		}
	}`
	var q manifest.ScopeRequest
	d := json.NewDecoder(strings.NewReader(request))
	d.DisallowUnknownFields()
	if err := d.Decode(&q); err != nil {
		t.Fatal(err)
	}
	a, err := call.CheckScope(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal([]byte(answer), &want)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	yes := true
	q.Scope.ShowDenied = &yes
	shown, err := call.CheckScope(t.Context(), q)
	if want := a.Summary + "\nRead only:\n  - /nowhere/src/gen\nNot accessible:\n  - /nowhere/src/secret"; err != nil || shown.Summary != want {
		t.Errorf("asked for what is denied: %v, %q", err, shown.Summary)
	}
	if _, err := call.CheckScope(t.Context(), manifest.ScopeRequest{Scope: workspace.ScopeConfig{Allow: []workspace.ScopeRule{{Target: "/a", Permission: workspace.Read}}}, Paths: []string{"a"}}); !errors.Is(err, workspace.InvalidTarget) {
		t.Errorf("a relative path without base: %v", err)
	}
	if _, err := call.CheckScope(t.Context(), manifest.ScopeRequest{Base: "/"}); !errors.Is(err, workspace.NoAllow) {
		t.Errorf("no rule: %v", err)
	}
}
