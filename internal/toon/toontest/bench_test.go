package toontest

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/toon"
)

// table500 is a document of one table with 500 rows.
func table500(b *testing.B) (Value, string) {
	b.Helper()
	rows := make([]Value, 500)
	for i := range rows {
		rows[i] = Object(
			Member{"id", String(fmt.Sprintf("s%d", i))},
			Member{"content", String(strings.Repeat("revenue grew in the third quarter ", 3) + fmt.Sprint(i))},
			Member{"weight", Int(int64(i))},
		)
	}
	v := Object(Member{"signals", Array(rows...)})
	text, err := Encode(v)
	if err != nil {
		b.Fatal(err)
	}
	return v, text
}

func BenchmarkEncode(b *testing.B) {
	v, text := table500(b)
	var dst []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = Encoder{}.Append(dst[:0], v)
	}
	if string(dst) != text {
		b.Fatal("written otherwise")
	}
}

func BenchmarkDecode(b *testing.B) {
	v, text := table500(b)
	var got Value
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		got, _ = Decode(text)
	}
	if !got.Equal(v) {
		b.Fatal("read otherwise")
	}
}

func BenchmarkReader(b *testing.B) {
	_, text := table500(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := toon.Decoder{}.Tokens(text)
		for {
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkJSON reads the same values by the standard library, for scale.
func BenchmarkJSON(b *testing.B) {
	v, _ := table500(b)
	data := v.AppendJSON(nil)
	var got any
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := json.Unmarshal(data, &got); err != nil {
			b.Fatal(err)
		}
	}
}
