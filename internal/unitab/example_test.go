package unitab_test

import (
	"fmt"

	"github.com/cento-dev/cento/internal/unitab"
)

func ExampleNextHidden() {
	text := "Be\u00ADfore \u202Eyou می\u200Cخواهم 👩🏽\u200D💻"
	for from := 0; ; {
		start, end, r, kind, ok := unitab.NextHidden(text, from)
		if !ok {
			break
		}
		fmt.Printf("%d: %U %s\n", start, r, kind)
		from = end
	}
	// Output:
	// 2: U+00AD ignorable
	// 9: U+202E bidi
}

func ExampleAppendSkeleton() {
	heading := unitab.AppendSkeleton(nil, "Working Scope")
	line := unitab.AppendSkeleton(nil, "ＷＯＲＫＩＮＧ Sco\u200Bpe")
	fmt.Printf("%s, %s\n", heading, line)
	// Output: working scope, working scope
}
