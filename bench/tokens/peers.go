// Peers times other token counters of Go on the texts of the benchmarks. It is a
// module of its own, so that nothing else depends on them.
//
//	peers DIR
//
// Each line is: library, encoding, text, nanoseconds to count it (median of five,
// or of as many as two seconds allow), tokens.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/tiktoken-go/tokenizer"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: peers DIR")
		os.Exit(2)
	}
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	for _, encoding := range []string{"o200k_base", "cl100k_base"} {
		codec, err := tokenizer.Get(tokenizer.Encoding(encoding))
		check(err)
		old, err := tiktoken.GetEncoding(encoding)
		check(err)
		for _, name := range []string{"prose", "code", "runs", "blanks"} {
			content, err := os.ReadFile(filepath.Join(os.Args[1], name+".txt"))
			check(err)
			text := string(content)
			report("tiktoken-go/tokenizer 0.10.0", encoding, name, func() int {
				n, err := codec.Count(text)
				check(err)
				return n
			})
			report("pkoukk/tiktoken-go 0.1.8", encoding, name, func() int { return len(old.EncodeOrdinary(text)) })
		}
	}
}

func report(library, encoding, name string, count func() int) {
	start := time.Now()
	tokens := count() // builds what is built at first use
	var times []float64
	for len(times) < 5 && (len(times) == 0 || time.Since(start) < 2*time.Second) {
		begin := time.Now()
		count()
		times = append(times, float64(time.Since(begin).Nanoseconds()))
	}
	slices.Sort(times)
	fmt.Printf("%s\t%s\t%s\t%.0f\t%d\n", library, encoding, name, times[len(times)/2], tokens)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(3)
	}
}
