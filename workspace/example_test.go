package workspace_test

import (
	"fmt"
	"path"

	"github.com/cento-dev/cento/workspace"
)

func ExampleScope_Permission() {
	scope, err := workspace.ResolveScope(workspace.ScopeConfig{
		Allow: []workspace.ScopeRule{{Target: "/nowhere", Permission: workspace.Write}},
		Deny:  []workspace.ScopeRule{{Target: "/nowhere/generated", Permission: workspace.Write}},
	}, "/")
	if err != nil {
		fmt.Println(err)
		return
	}
	permission, rules := scope.Permission("/nowhere/generated/api.go")
	fmt.Println(permission)
	for _, r := range rules {
		fmt.Println(r.Effect, r.Permission, path.Base(r.Target))
	}
	// Output:
	// read
	// allow write nowhere
	// deny write generated
}
