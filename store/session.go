package store

import (
	"time"

	"github.com/cento-dev/cento"
)

// AnyVersion as the expected version of a [Change] changes a session whatever
// its version is, and creates one that isn't there.
const AnyVersion int64 = -1

// Session is a session as it stands.
type Session struct {
	ID string `json:"id"`
	// Parent is the session that it was forked from; empty for none.
	Parent string `json:"parent"`
	// Version counts the changes from 1. A writer names the version that it has
	// seen, and of two writers that saw the same one wins.
	Version int64 `json:"version"`
	// State is the session's own document, JSON that the store doesn't look into;
	// nil where only records were stored, and in a list that it wasn't asked for in.
	State   []byte    `json:"-"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	// Base is the record before the first one that is still there, Head the last
	// one. Both have sequence 0 and 64 zeros where there is none.
	Base Link `json:"base"`
	Head Link `json:"head"`
}

// Link names one record of a session's chain.
type Link struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"` // lower-case hex
}

// Transition is what one [Store.Commit] does: all of it or nothing.
type Transition struct {
	// Key makes the transition happen once: where the first session has stored one
	// with this key before, nothing is done and the first one's answer is given. How
	// long a key counts is for [Options] to say. Empty: no such protection.
	Key string
	// RequestDigest tells two requests apart that use one key by mistake; empty:
	// they aren't told apart.
	RequestDigest string
	// Answer is kept with the key and given back when the key is used again.
	Answer []byte
	// At is the time of the transition; zero: the store's clock.
	At time.Time
	// Changes are those of one session or several, each session once.
	Changes []Change
}

// Change is what a transition does to one session.
type Change struct {
	Session string
	// Parent is set when the session is created.
	Parent string
	// ParentVersion is the version that the parent must have then; 0: nobody asks
	// whether it is there.
	ParentVersion int64
	// Expect is the version that the session must have: 0 creates it, and it must
	// not be there; [AnyVersion] doesn't ask.
	Expect int64
	// State is the session's new document; nil leaves it as it is.
	State []byte
	// Drafts are the prompts to record, in order.
	Drafts []Draft
	// Blobs are texts to keep with the session, each distinct one once; see
	// [Store.Blob].
	Blobs [][]byte
}

// Draft is a prompt that isn't recorded yet.
type Draft struct {
	Prompt *cento.Prompt
	// Input is what the prompt was made of: reducing it again gives the prompt.
	Input cento.Input
	// Label says what the record is for, as `materialise` or `turn 7`; shown, not
	// part of the chain.
	Label string

	ready *prepared
}

// Ready is the draft with everything done that doesn't depend on what is stored, for a
// prompt that is recorded again and again: each further record then takes a row, and
// work that doesn't grow with the texts. Prompt and Input must not be changed after
// it, the label may be. The errors are those that [Store.Commit] would give for it.
func (d Draft) Ready() (Draft, error) {
	p, err := prepare(&d)
	d.ready = p
	return d, err
}

// Committed is what a transition did.
type Committed struct {
	// Replayed: the key was used before, and nothing was done now.
	Replayed bool   `json:"replayed"`
	Answer   []byte `json:"-"`
	// Versions are those of the sessions after the change, parallel to
	// [Transition.Changes], Records what was recorded, in order.
	Versions []int64   `json:"versions"`
	Records  []Stored  `json:"records"`
	At       time.Time `json:"at"`
}

// Stored is the name of a record that is durable.
type Stored struct {
	Session string `json:"session"`
	Link
}
