package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
)

type digest [sha256.Size]byte

func digestOf(s string) digest { return sha256.Sum256([]byte(s)) }

func (d digest) hex() string { return hex.EncodeToString(d[:]) }

// readDigest reads what [digest.hex] wrote. In capitals it isn't the same: chains are made
// of the letters.
func readDigest(s string) (d digest, ok bool) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != sha256.Size {
		return d, false
	}
	d = digest(raw)
	return d, d.hex() == s
}

// key is the part of a digest that the database looks texts up by: short, since
// whether a text that it finds is the same one is decided by the text.
func (d digest) key() int64 { return int64(binary.LittleEndian.Uint32(d[:4])) }

// prepared is a draft ready to be written: everything about it that doesn't
// depend on what is stored already.
type prepared struct {
	// texts are the distinct texts that it needs: those of fragments, forms of
	// fragments, strings of the input, joints that aren't a blank line.
	texts   []preparedText
	byText  map[string]int
	entries []preparedEntry
	// order are the included fragments as they follow each other in the prompt.
	order []placed
	tail  joint // what follows the last one

	fragments   []byte // canonical
	prompt      *string
	promptSum   digest
	inputDigest digest
	document    []byte // the input's JSON; nil where no other draft is made of it
	// inputParts are the stretches of the input's JSON between its texts.
	inputParts [][]byte
	inputTexts []inputText
	label      string
	// project is that of a record which is imported; nil: the session's.
	project *string
}

// inputText is a text of the input. Most texts in files end with a line end that
// the prompt hasn't, and are told by the one in the prompt.
type inputText struct {
	text int
	line bool // and a line end follows
}

type preparedText struct {
	text   string
	digest digest
	// search: it is the text of a fragment, and words of it are looked for.
	search bool
	// redacted: only the digest is known, of a text that was taken out elsewhere.
	redacted bool
	// like is a text of the same draft that this one is much like; -1 for none.
	like int
}

// textKey is what a text is known by: one that was taken out isn't the one that came
// again.
type textKey struct {
	digest   digest
	redacted bool
}

func (x *preparedText) key() textKey { return textKey{x.digest, x.redacted} }

type preparedEntry struct {
	id         string
	form, text int // in texts; text is -1 where there is none
	size       int // of the text in the prompt; -1 when excluded
}

// placed is an included fragment and what stands before it.
type placed struct {
	entry  int
	before joint
}

// joint is a text between two fragments: one of the usual ones, or a text.
type joint struct {
	usual int // in usualJoints; -1: text
	text  int
}

// usualJoints are the texts between fragments that have a number of their own.
var usualJoints = []string{"\n\n", "", "\n"}

func (p *prepared) text(s string) int {
	if i, ok := p.byText[s]; ok {
		return i
	}
	p.byText[s] = len(p.texts)
	p.texts = append(p.texts, preparedText{text: s, digest: digestOf(s), like: -1})
	return len(p.texts) - 1
}

func (p *prepared) joint(s string) joint {
	if i := slices.Index(usualJoints, s); i >= 0 {
		return joint{usual: i}
	}
	return joint{usual: -1, text: p.text(s)}
}

const maxLabel = 200

// prepare makes a draft ready. It is the costly part, and runs beside others.
func prepare(d *Draft) (*prepared, error) {
	switch {
	case d.Prompt == nil:
		return nil, invalid("a draft has no prompt")
	case len(d.Label) > maxLabel || !plain(d.Label):
		return nil, invalid("the label %q isn't one line of at most %d bytes", clip(d.Label), maxLabel)
	}
	if d.ready != nil {
		p := *d.ready // which nothing changes once it is made
		p.label = d.Label
		return &p, nil
	}
	p := &prepared{byText: make(map[string]int, 2*d.Prompt.Len()+16), label: d.Label}
	system, ok := d.Prompt.System()
	if ok {
		p.promptSum = digestOf(system)
		sum := p.promptSum.hex()
		p.prompt = &sum
	}
	list := p.decide(d.Prompt, system)
	if err := p.place(list, system); err != nil {
		return nil, err
	}
	p.fragments = appendFragments(nil, list)
	return p, p.input(d.Input)
}

// decide makes the list of fragments, and the entry of each.
func (p *prepared) decide(prompt *cento.Prompt, system string) []Fragment {
	list := make([]Fragment, prompt.Len())
	p.entries = make([]preparedEntry, len(list))
	for i := range list {
		t := prompt.Trace(i, cento.ExplainOptions{})
		f := Fragment{
			Code: t.Code, Digest: t.Digest, ID: t.ID, Included: t.Included, Layer: t.Layer, Origin: t.Origin,
			Reason: t.Reason, Source: t.Source, Span: t.Span, Trust: t.Trust,
		}
		e := preparedEntry{id: f.ID, text: -1, size: -1}
		switch {
		case f.Span != nil:
			e.size = f.Span[1] - f.Span[0]
			e.text = p.text(system[f.Span[0]:f.Span[1]])
		case f.Digest != nil:
			e.text = p.text(prompt.Text(i))
		}
		if e.text >= 0 {
			p.texts[e.text].search = true
			sum := p.texts[e.text].digest.hex()
			f.Digest = &sum
		}
		e.form = p.text(string(appendFragment(nil, &f, true)))
		list[i], p.entries[i] = f, e
	}
	return list
}

// place finds the order of the fragments in the prompt and what stands between
// them. The two together are the prompt, byte for byte.
func (p *prepared) place(list []Fragment, system string) error {
	for i := range list {
		if list[i].Span != nil {
			p.order = append(p.order, placed{entry: i})
		}
	}
	slices.SortStableFunc(p.order, func(a, b placed) int { return list[a.entry].Span[0] - list[b.entry].Span[0] })
	at := 0
	for k := range p.order {
		span := list[p.order[k].entry].Span
		if span[0] < at {
			return invalid("the fragments of the prompt overlap")
		}
		p.order[k].before = p.joint(system[at:span[0]])
		at = span[1]
	}
	p.tail = p.joint(system[at:])
	return nil
}

func (p *prepared) input(in cento.Input) error {
	byTrimmed := map[string]int{}
	for _, e := range p.entries {
		if e.text >= 0 {
			byTrimmed[strings.TrimSpace(p.texts[e.text].text)] = e.text
		}
	}
	whole, parts, texts, err := splitInput(in)
	if err != nil {
		return err
	}
	p.document, p.inputDigest, p.inputParts = whole, sha256.Sum256(whole), parts
	for _, s := range texts {
		if bare := strings.TrimSuffix(s, "\n"); bare != s {
			if i, ok := p.byText[bare]; ok {
				p.inputTexts = append(p.inputTexts, inputText{i, true})
				continue
			}
		}
		i := p.text(s)
		if like, ok := byTrimmed[strings.TrimSpace(s)]; ok && like != i {
			p.texts[i].like = like
		}
		p.inputTexts = append(p.inputTexts, inputText{i, false})
	}
	return nil
}

// The marks begin the number of a text in a stored input; with lineMark a line
// end follows the text. JSON has no such bytes outside of strings, and none
// unescaped in them.
const (
	textMark = 0x01
	lineMark = 0x02
)

// storedText is a text of a stored input, by its number.
type storedText struct {
	id   int64
	line bool
}

// storedInput is the input with the numbers of its texts.
func storedInput(parts [][]byte, texts []storedText) []byte {
	var out []byte
	for i, part := range parts {
		out = append(out, part...)
		if i < len(texts) {
			mark := byte(textMark)
			if texts[i].line {
				mark = lineMark
			}
			out = binary.AppendUvarint(append(out, mark), uint64(texts[i].id))
		}
	}
	return out
}

// partsOf is the reverse of storedInput.
func partsOf(stored []byte) (parts [][]byte, texts []storedText, err error) {
	from := 0
	for i := 0; i < len(stored); i++ {
		if stored[i] != textMark && stored[i] != lineMark {
			continue
		}
		id, n := binary.Uvarint(stored[i+1:])
		if n <= 0 {
			return nil, nil, errPacked
		}
		parts, texts = append(parts, stored[from:i]), append(texts, storedText{int64(id), stored[i] == lineMark})
		i += n
		from = i + 1
	}
	return append(parts, stored[from:]), texts, nil
}

func invalid(format string, args ...any) *cento.SourceError {
	return &cento.SourceError{Code: Invalid, Message: fmt.Sprintf(format, args...)}
}
