package toon_test

import (
	"fmt"

	"github.com/cento-dev/cento/internal/toon"
)

func ExampleReader() {
	r := toon.Decoder{}.Tokens("id: 7\ntags[2]: a,b")
	for {
		t, err := r.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		if t.Kind == toon.StringToken {
			fmt.Println(t.Text, r.Place(t.Offset))
		}
	}
	// Output:
	// a {2 10}
	// b {2 12}
	// EOF
}
