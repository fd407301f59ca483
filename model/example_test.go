package model_test

import (
	"fmt"

	"github.com/cento-dev/cento/model"
)

func Example() {
	m, _ := model.Default().Lookup("us.anthropic.claude-opus-4-7-v1:0")
	window, _ := m.Window()
	fmt.Println(m.ID, window, m.Wire, *m.Cache.MinTokens, m.Counting.Exact)
	// Output: claude-opus-4-7 1000000 bedrock 4096 false
}
