package toon_test

import (
	"errors"
	"fmt"

	"github.com/cento-dev/cento/internal/toon"
)

func Example() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	text, err := toon.Marshal(map[string][]user{"users": {{1, "Ada"}, {2, "Bob, jr"}}})
	fmt.Printf("%s\n%v\n", text, err)
	// Output:
	// users[2]{id,name}:
	//   1,Ada
	//   2,"Bob, jr"
	// <nil>
}

func ExampleDecode() {
	_, err := toon.Decode("users[2]{id,name}:\n  1,Ada\n")
	fmt.Println(err)
	fmt.Println(errors.Is(err, toon.WrongCount))
	// Output:
	// 1:1: 2 rows were declared, the count is 1
	// true
}

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
