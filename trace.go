package cento

// Trace says why one fragment is in the prompt or out of it. There is one for
// every fragment that was considered, in declaration order.
type Trace struct {
	ID       string `json:"id"`
	Source   string `json:"source"`
	Bucket   Bucket `json:"bucket"`
	Included bool   `json:"included"`
	// Reason is the decision in words, Code the same for programs.
	Reason string `json:"reason"`
	Code   Code   `json:"code"`
	// Bytes is the length of the fragment's text in the prompt, its own title
	// line included; 0 when excluded.
	Bytes int `json:"bytes"`
	// Tokens is the same in tokens, of this text alone; null where nothing counts
	// them.
	Tokens *int `json:"tokens"`
	// Digest is the SHA-256 of the text in lower-case hex, for excluded
	// fragments too.
	Digest *string `json:"digest"`
	// Span is [start, end) in the prompt; null when excluded.
	Span *[2]int `json:"span"`
	// Section and Layer are null for fragments of none.
	Section *string   `json:"section"`
	Layer   *string   `json:"layer"`
	Origin  *Position `json:"origin"`
	Trust   Trust     `json:"trust"`

	Stability  Stability  `json:"stability"`
	Protected  bool       `json:"protected"`
	Importance Importance `json:"importance"`
	// Variant is the body in use: 0 is the fragment's own.
	Variant int `json:"variant"`
	// Text is the text of an excluded fragment, so that a search finds what is
	// not in the prompt; empty for included ones, whose text is in it.
	Text string `json:"text,omitempty"`
	// Notes tell what was found in the text and what was changed.
	Notes []TextNote `json:"notes,omitempty"`
	// Unmet is every condition of an excluded fragment that doesn't hold, when
	// all reasons were asked for.
	Unmet []Unmet `json:"unmet,omitempty"`
}

// Unmet is one condition that doesn't hold.
type Unmet struct {
	Code   Code   `json:"code"`
	Reason string `json:"reason"`
}

// TextNote is a finding in a fragment's text.
type TextNote struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// Start and End are byte offsets in the body as it was handed over, trimmed;
	// both are 0 for a finding in the title or the section.
	Start    int       `json:"start"`
	End      int       `json:"end"`
	Position *Position `json:"position"`
}

// Explanation is a prompt with everything known about it, in the shape that
// the command line, the service and the page share.
type Explanation struct {
	// System is null when no fragment is included, which isn't the same as an
	// empty text.
	System    *string `json:"system"`
	Fragments []Trace `json:"fragments"`
	Included  int     `json:"included"`
	Excluded  int     `json:"excluded"`
	Spans     []Span  `json:"spans"`
	// Digest is the SHA-256 of System in lower-case hex; null when that is null.
	Digest *string `json:"digest"`
	Bytes  int     `json:"bytes"`
	// Tokens, TokensExact and Encoding are null where nothing counts tokens.
	Tokens      *int    `json:"tokens"`
	TokensExact *bool   `json:"tokens_exact"`
	Encoding    *string `json:"encoding"`
	Model       *string `json:"model"`
	Notes       []Note  `json:"notes,omitempty"`
}

// Provenance is the part of an [Explanation] that Harn's prompt_explain gives:
// one record per fragment and how many are in and out.
type Provenance struct {
	Fragments []Trace `json:"fragments"`
	Included  int     `json:"included"`
	Excluded  int     `json:"excluded"`
}
