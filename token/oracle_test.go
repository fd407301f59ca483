package token

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/treetest"
)

var update = flag.Bool("update", false, "with the oracle: write testdata from what it says")

// The files in testdata hold what tiktoken says, never what this package says.
const (
	vectorFile = "testdata/vectors.txt" // ENCODING QUOTED-TEXT TOKEN…
	digestFile = "testdata/digests.txt" // CORPUS ENCODING TEXTS DIGEST
)

// vectors are texts whose tokens stand in a file to be read.
var vectors = []string{
	"", "a", "a\n \nb", "a\n  \n\n b", " \n", "\n \n", "\t\n\t\n", "  x", "\tx", "x  ", "x\n  ", "\r\n\r\n", " \r\n x",
	"hello world", "Hello, World!", "it's", "IT'S", "it'ſ", "they'll've", "'S", "x'", "12345", "1234567 ½ Ⅷ",
	"don't stop\n\n\nnow", "HTTPServer", "getHTTPResponseCode", "ABC中DEF", "ABCdef", "a\u0301b", "\u0301s", "!\u0301x",
	"//\n/ //", "path/to/file.go:12:4", "...\r\n", "<|endoftext|>", "😀👩‍👩‍👧‍👦", "\u00a0a\u00a0\u00a01", "\u3000。", "𞤀𞤢", "\u0000", "\ufffd",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "naïve café",
}

// TestVectors and TestDigests hold the package against recorded answers of
// tiktoken; TestOracle against tiktoken itself.
func TestVectors(t *testing.T) {
	lines := readLines(t, vectorFile)
	if want := len(vectors) * len(encodings); len(lines) != want {
		t.Fatalf("%s has %d lines, want %d: run TestOracle with -update", vectorFile, len(lines), want)
	}
	for _, line := range lines {
		name, rest, _ := strings.Cut(line, " ")
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			t.Fatalf("%s: %q: %v", vectorFile, line, err)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %q: %v", vectorFile, line, err)
		}
		var want []int
		for _, field := range strings.Fields(rest[len(quoted):]) {
			n, err := strconv.Atoi(field)
			if err != nil {
				t.Fatalf("%s: %q: %v", vectorFile, line, err)
			}
			want = append(want, n)
		}
		encoding, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := encoding.AppendTokens(nil, text); !slices.Equal(got, want) {
			t.Errorf("%s of %q is %v, want %v", name, text, got, want)
		}
		if got := encoding.Count(text); got != len(want) {
			t.Errorf("%s counts %d tokens in %q, want %d", name, got, text, len(want))
		}
	}
}

func TestDigests(t *testing.T) {
	lengthtest.NotShort(t, "two million texts")
	if underRace {
		t.Skip("one goroutine and two million texts: run without the race detector")
	}
	recorded := map[string]string{}
	for _, line := range readLines(t, digestFile) {
		fields := strings.Fields(line)
		recorded[fields[0]+" "+fields[1]] = strings.Join(fields[2:], " ")
	}
	for k, c := range corpora() {
		for i := range encodings {
			encoding := Encoding{index: uint8(i)}
			key := c.name + " " + encoding.Name()
			if (k+i)%lengthtest.Of(5, 2, 1) != 0 {
				delete(recorded, key)
				continue // two million texts take a while
			}
			t.Run(strings.ReplaceAll(key, " ", "/"), func(t *testing.T) {
				var d digest
				var tokens []int
				for text := range c.texts {
					tokens = encoding.AppendTokens(tokens[:0], text)
					d.add(tokens)
					if d.texts%8 != 0 {
						continue // that counting agrees is a law by itself; to check it on all would take as long again
					}
					if n := encoding.Count(text); n != len(tokens) {
						t.Fatalf("counts %d tokens in %q, appends %d", n, text, len(tokens))
					}
				}
				if got := d.String(); got != recorded[key] {
					t.Errorf("texts and digest are %s, tiktoken's are %s; TestOracle shows where they differ", got, recorded[key])
				}
			})
			delete(recorded, key)
		}
	}
	for key := range recorded {
		t.Errorf("%s has a line for %s, which is not a corpus", digestFile, key)
	}
}

// digest stands for the tokens of many texts.
type digest struct {
	texts int
	sum   hash.Hash
	line  []byte
}

func (d *digest) add(tokens []int) {
	if d.sum == nil {
		d.sum = sha256.New()
	}
	d.texts++
	d.line = binary.AppendUvarint(d.line[:0], uint64(len(tokens)))
	for _, t := range tokens {
		d.line = binary.AppendUvarint(d.line, uint64(t))
	}
	d.sum.Write(d.line)
}

func (d *digest) String() string {
	if d.sum == nil {
		return "0"
	}
	return fmt.Sprintf("%d %s", d.texts, hex.EncodeToString(d.sum.Sum(nil)))
}

func readLines(t *testing.T, name string) []string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		t.Fatalf("%s is empty", name)
	}
	return lines
}

// TestOracle compares token by token with tiktoken from npm, on all corpora,
// on every code point, and on sources and documentation of the Go installation.
func TestOracle(t *testing.T) {
	if os.Getenv("CENTO_TOKEN_ORACLE") == "" {
		t.Skip("compares with tiktoken under CENTO_TOKEN_ORACLE=1, after `npm ci` in token/oracle; needs node")
	}
	if _, err := os.Stat("oracle/node_modules/tiktoken"); err != nil {
		t.Fatalf("run `npm ci` in token/oracle first: %v", err)
	}
	recorded := corpora()
	all := append(recorded, corpus{"every-code-point", everyCodePoint}, corpus{"go-installation", goFiles(t)})
	var vectorLines, digestLines []string
	for i := range encodings {
		encoding := Encoding{index: uint8(i)}
		compare(t, encoding, slices.Values(vectors), func(text string, tokens []int) {
			vectorLines = append(vectorLines, strings.TrimSpace(fmt.Sprintf("%s %+q %s", encoding.Name(), text, strings.Trim(fmt.Sprint(tokens), "[]"))))
		})
		for n, c := range all {
			t.Run(c.name+"/"+encoding.Name(), func(t *testing.T) {
				var d digest
				compare(t, encoding, c.texts, func(_ string, tokens []int) { d.add(tokens) })
				t.Logf("%d texts compared", d.texts)
				if n < len(recorded) {
					digestLines = append(digestLines, c.name+" "+encoding.Name()+" "+d.String())
				}
			})
		}
	}
	if *update {
		writeLines(t, vectorFile, vectorLines)
		writeLines(t, digestFile, digestLines)
	}
}

func writeLines(t *testing.T, name string, lines []string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compare sends texts to tiktoken and calls each with what it answers.
func compare(t *testing.T, encoding Encoding, texts iter.Seq[string], each func(text string, tokens []int)) {
	t.Helper()
	cmd := exec.Command("node", "tokens.mjs", encoding.Name())
	cmd.Dir = "oracle"
	in, out := treetest.Start(t, cmd)
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(in, 1<<16)
		for text := range texts {
			text = valid(text)
			var head [4]byte
			binary.LittleEndian.PutUint32(head[:], uint32(len(text)))
			w.Write(head[:])
			w.WriteString(text)
		}
		err := w.Flush()
		in.Close()
		sent <- err
	}()
	r := bufio.NewReaderSize(out, 1<<16)
	compared, wrong := 0, 0
	for text := range texts {
		want, err := readTokens(r)
		if err != nil {
			t.Fatalf("reading the tokens of text %d, %.100q: %v", compared, text, err)
		}
		compared++
		if got := encoding.AppendTokens(nil, text); !slices.Equal(got, want) {
			wrong++
			t.Errorf("%s of %.200q is\n%v, tiktoken says\n%v", encoding.Name(), text, got[:min(len(got), 50)], want[:min(len(want), 50)])
			if wrong == 20 {
				cmd.Process.Kill()
				t.Fatal("too many differences")
			}
		}
		each(text, want)
	}
	if _, err := r.ReadByte(); err != io.EOF {
		t.Errorf("tiktoken answered more than was asked: %v", err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if compared == 0 {
		t.Error("no text was compared")
	}
}

func readTokens(r io.Reader) ([]int, error) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		return nil, err
	}
	tokens := make([]uint32, n)
	if err := binary.Read(r, binary.LittleEndian, tokens); err != nil {
		return nil, err
	}
	ints := make([]int, n)
	for i, t := range tokens {
		ints[i] = int(t)
	}
	return ints, nil
}

// goFiles gives prose and code of the Go installation, a file at a time.
func goFiles(t *testing.T) iter.Seq[string] {
	var names []string
	for _, pattern := range []string{"doc/*.html", "doc/*.md", "src/net/http/*.go", "src/unicode/*.go", "src/runtime/*.s", "src/cmd/go/testdata/script/mod_*.txt", "src/cmd/go/*.go"} {
		found, err := filepath.Glob(filepath.Join(goRoot(t), filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			t.Fatalf("the Go installation has no %s", pattern)
		}
		names = append(names, found...)
	}
	return func(yield func(string) bool) {
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
				return
			}
			if !yield(string(content)) {
				return
			}
		}
	}
}
