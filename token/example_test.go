package token_test

import (
	"fmt"

	"github.com/cento-dev/cento/token"
)

func ExampleLookupCounter() {
	for _, name := range []string{"o200k_base", "claude", "cl100k"} {
		counter, err := token.LookupCounter(name)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(counter.Name(), counter.Count("You are a careful reviewer."), counter.Exact())
	}
	// Output:
	// o200k_base 6 true
	// claude 7 false
	// unknown encoding "cl100k", did you mean "cl100k_base"?
}

func ExampleCounterFor() {
	for _, model := range []string{"gpt-5.4", "gpt-6-sol", "claude-sonnet-4-5"} {
		counter := token.CounterFor(model)
		fmt.Println(model, counter.Name(), counter.Count("You are a careful reviewer."), counter.Exact())
	}
	// Output:
	// gpt-5.4 o200k_base 6 true
	// gpt-6-sol o200k_base 6 false
	// claude-sonnet-4-5 claude 7 false
}

func ExampleEncoding_AppendTokens() {
	encoding, err := token.Lookup("cl100k_base")
	if err != nil {
		fmt.Println(err)
		return
	}
	tokens := encoding.AppendTokens(nil, "a\n \nb")
	fmt.Println(tokens)
	for _, t := range tokens {
		text, err := encoding.AppendText(nil, t)
		fmt.Printf("%q %v\n", text, err)
	}
	// Output:
	// [64 27907 65]
	// "a" <nil>
	// "\n \n" <nil>
	// "b" <nil>
}

func ExampleCache() {
	cache := token.NewCache(1000)
	encoding, err := token.Lookup("o200k_base")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cache.Count(encoding, "counted"), cache.Count(encoding, "counted"), cache.Len())
	// Output: 2 2 1
}
