package toon_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/cento-dev/cento/internal/treetest"

	"github.com/cento-dev/cento/internal/toon"
	"github.com/cento-dev/cento/internal/toon/toontest"
)

// peer is the reference implementation, as a filter.
type peer struct {
	t   *testing.T
	in  *json.Encoder
	out *bufio.Reader
}

type peerRequest struct {
	JSON      *string        `json:"json,omitempty"`
	Delimiter toon.Delimiter `json:"-"`
	Sign      string         `json:"delimiter,omitempty"`
	TOON      *string        `json:"toon,omitempty"`
}

type peerAnswer struct {
	Text  string `json:"text"`
	Error string `json:"error"`
}

func startPeer(t *testing.T) *peer {
	t.Helper()
	if os.Getenv("CENTO_TOON_ORACLE") == "" {
		t.Skip("compares with the reference implementation under CENTO_TOON_ORACLE=1, after `npm ci` in internal/toon/oracle; needs node")
	}
	if _, err := os.Stat("oracle/node_modules/@toon-format/toon"); err != nil {
		t.Fatalf("run `npm ci` in internal/toon/oracle first: %v", err)
	}
	cmd := exec.Command("node", "toon.mjs")
	cmd.Dir = "oracle"
	in, out := treetest.Start(t, cmd)
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	return &peer{t: t, in: json.NewEncoder(in), out: bufio.NewReaderSize(out, 1<<16)}
}

func (p *peer) ask(r peerRequest) peerAnswer {
	p.t.Helper()
	if r.JSON != nil {
		r.Sign = string(rune(r.Delimiter))
	}
	if err := p.in.Encode(r); err != nil {
		p.t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	var a peerAnswer
	if err := json.Unmarshal(line, &a); err != nil {
		p.t.Fatal(err)
	}
	return a
}

// asDoubles is a JSON text with its numbers as JavaScript has them. It is not ok
// when one is beyond its largest, which the reference takes for a text.
func asDoubles(t *testing.T, text string) (doubles string, ok bool) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var b strings.Builder
	for {
		token, err := d.Token()
		if err == io.EOF {
			return b.String(), true
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		switch token := token.(type) {
		case json.Number:
			f, err := token.Float64()
			if math.IsInf(f, 0) {
				return "", false
			}
			if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			b.WriteString(strconv.FormatFloat(f+0, 'g', -1, 64)) // -0 is 0
		case json.Delim:
			b.WriteRune(rune(token))
		default:
			data, err := json.Marshal(token)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(data)
		}
		b.WriteByte(' ')
	}
}

// forJavaScript leaves out values that its objects would change: keys that are
// numbers are put first, and __proto__ is none.
func forJavaScript(v toontest.Value) bool {
	switch v.Kind() {
	case toontest.ArrayKind:
		for item := range v.Items() {
			if !forJavaScript(item) {
				return false
			}
		}
	case toontest.ObjectKind:
		for key, item := range v.Members() {
			if _, err := strconv.ParseUint(key, 10, 64); err == nil || key == "__proto__" || !forJavaScript(item) {
				return false
			}
		}
	}
	return true
}

// mutated is a document with a few of its characters and lines changed, so that
// it is about as often TOON as it isn't.
func mutated(r *rand.Rand, doc string) string {
	parts := []string{":", ",", "|", "\t", " ", "  ", "\n", "\n  ", "[", "]", "[2]", "[0]", "[]", "{", "}", "{a,b}", "{a}:", "[1]:", "[2:]", `"`, `\`, `\n`, `\u0041`, `\ud800`,
		"-", "- ", "#", "# c", "a", "a: 1", "x:", "1", "0", "05", "-0", ".5", "1e3", "true", "null", "é", "\r", "\r\n", "\u00a0"}
	for range 1 + r.IntN(3) {
		switch r.IntN(5) {
		case 0, 1:
			at := r.IntN(len(doc) + 1)
			doc = doc[:at] + parts[r.IntN(len(parts))] + doc[at:]
		case 2:
			if from := r.IntN(len(doc) + 1); from < len(doc) {
				doc = doc[:from] + doc[min(len(doc), from+1+r.IntN(3)):]
			}
		case 3:
			lines := strings.Split(doc, "\n")
			i, j := r.IntN(len(lines)), r.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
			doc = strings.Join(lines, "\n")
		case 4:
			lines := strings.Split(doc, "\n")
			i := r.IntN(len(lines))
			if r.IntN(2) == 0 {
				lines[i] = "  " + lines[i]
			} else {
				lines[i] = strings.TrimPrefix(lines[i], "  ")
			}
			doc = strings.Join(lines, "\n")
		}
	}
	return strings.ToValidUTF8(doc, "")
}

// TestOracle compares with the reference implementation: what each writes for
// random values, and what each reads in their documents, in those of the
// archives and in both with random changes.
func TestOracle(t *testing.T) {
	p := startPeer(t)
	n := 20_000
	if s := os.Getenv("CENTO_TOON_ORACLE"); s != "1" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(11, 12))
	delimiters := []toon.Delimiter{toon.Comma, toon.Tab, toon.Pipe}
	var documents []string
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			switch filepath.Ext(f.Name) {
			case ".toon", ".tab", ".pipe", ".read", ".bad":
				documents = append(documents, documentOf(f.Data))
			}
		}
	}
	written, read, refused, wrong := 0, 0, 0, 0
	fail := func(format string, args ...any) {
		if wrong++; wrong > 40 {
			t.Fatal("too many differences")
		}
		t.Errorf(format, args...)
	}
	decode := func(doc string) {
		v, err := toontest.Decode(doc)
		answer := p.ask(peerRequest{TOON: &doc})
		switch {
		case errors.Is(err, toontest.InvalidNumber):
			// An exponent of more than nine digits, which JavaScript takes for 0 or
			// infinity.
		case (err == nil) != (answer.Error == ""):
			fail("%q\nerror here: %v\nerror there: %s", doc, err, answer.Error)
		case err != nil:
			refused++
		default:
			read++
			got := string(v.AppendJSON(nil))
			if got == answer.Text {
				return
			}
			here, ok := asDoubles(t, got)
			if there, _ := asDoubles(t, answer.Text); ok && here != there {
				fail("%q is read as\n%s\nthere as\n%s", doc, got, answer.Text)
			}
		}
	}
	for _, doc := range documents {
		decode(doc)
	}
	for i := range n {
		v := toontest.Values(1 + i%4).Example(i)
		if !forJavaScript(v) {
			continue
		}
		e := toontest.Encoder{Delimiter: delimiters[r.IntN(3)]}
		doc, err := e.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		text := string(v.AppendJSON(nil))
		if answer := p.ask(peerRequest{JSON: &text, Delimiter: e.Delimiter}); answer.Error != "" || answer.Text != string(doc) {
			fail("%s is written\n%s\nthere\n%s%s", text, doc, answer.Text, answer.Error)
		}
		written++
		decode(string(doc))
		for range 3 {
			decode(mutated(r, string(doc)))
		}
		decode(mutated(r, documents[r.IntN(len(documents))]))
	}
	t.Logf("%d values written alike, %d documents read alike, %d refused by both", written, read, refused)
}
