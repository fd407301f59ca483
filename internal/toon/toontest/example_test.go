package toontest_test

import (
	"errors"
	"fmt"

	"github.com/cento-dev/cento/internal/toon"
	"github.com/cento-dev/cento/internal/toon/toontest"
)

func Example() {
	type user struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	text, err := toontest.Marshal(map[string][]user{"users": {{1, "Ada"}, {2, "Bob, jr"}}})
	fmt.Printf("%s\n%v\n", text, err)
	// Output:
	// users[2]{id,name}:
	//   1,Ada
	//   2,"Bob, jr"
	// <nil>
}

func ExampleDecode() {
	_, err := toontest.Decode("users[2]{id,name}:\n  1,Ada\n")
	fmt.Println(err)
	fmt.Println(errors.Is(err, toon.WrongCount))
	// Output:
	// 1:1: 2 rows were declared, the count is 1
	// true
}
