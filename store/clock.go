package store

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"time"
)

// Inputs differ in nothing but their clock very often: each session has the one that it
// began with. Of the draft of one input the draft of the other is made without going
// through its texts again.

// clockMember is what stands before the clock in the document of an input.
const clockMember = `"now":`

// ClockIn is where the clock of an input stands in its document, with its quotes. It
// isn't ok for an input without a clock, and where something else looks just like it.
func ClockIn(document []byte, now time.Time) (start, end int, ok bool) {
	member, err := clockOf(now)
	if err != nil || member == nil {
		return 0, 0, false
	}
	// A quote within a text is escaped, so what is found is a member.
	at := bytes.Index(document, member)
	if at < 0 || bytes.Contains(document[at+1:], member) {
		return 0, 0, false
	}
	return at + len(clockMember), at + len(member), true
}

// clockOf is a clock as a member of a document; nil for none.
func clockOf(now time.Time) ([]byte, error) {
	if now.IsZero() {
		return nil, nil
	}
	value, err := now.MarshalJSON()
	return append([]byte(clockMember), value...), err
}

// At is a draft that is [Draft.Ready], with another clock in its input: ready, too, at
// less than it takes to make another one so. The errors are those of Ready.
func (d Draft) At(now time.Time) (Draft, error) {
	was, _ := clockOf(d.Input.Files.Now) // what can't be written isn't ready
	is, err := clockOf(now)
	if d.ready != nil && err == nil && bytes.Equal(was, is) {
		return d, nil
	}
	p := d.ready
	d.Input.Files.Now, d.ready = now, nil
	if p != nil && err == nil && was != nil && is != nil {
		if d.ready = p.at(was, is); d.ready != nil {
			return d, nil
		}
	}
	return d.Ready()
}

// at is the same with another clock; nil where it isn't clear which bytes are the clock.
func (p *prepared) at(was, is []byte) *prepared {
	in := bytes.Index(p.document, was)
	if in < 0 || bytes.Contains(p.document[in+1:], was) || bytes.Contains(p.document, is) {
		return nil
	}
	part := slices.IndexFunc(p.inputParts, func(b []byte) bool { return bytes.Contains(b, was) })
	if part < 0 {
		return nil
	}
	next := *p
	sum := sha256.New()
	for _, b := range [][]byte{p.document[:in], is, p.document[in+len(was):]} {
		sum.Write(b)
	}
	sum.Sum(next.inputDigest[:0])
	next.document = nil // a draft is made of the first one, if at all
	next.inputParts = slices.Clone(p.inputParts)
	next.inputParts[part] = bytes.Replace(p.inputParts[part], was, is, 1)
	return &next
}
