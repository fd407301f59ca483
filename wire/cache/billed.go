package cache

// Billed sums the billed input tokens of steps.
type Billed struct {
	Steps int `json:"steps"`
	Input int `json:"input"`
	// Unknown counts the steps whose usage does not report cached tokens. Read, Written
	// and Paid are sums over the other steps.
	Unknown int `json:"unknown"`
	Read    int `json:"read"`
	Written int `json:"written"`
	Paid    int `json:"paid"`
}

// Deviation is by how much what was read of the cache isn't what was predicted.
type Deviation struct {
	// Read is how many tokens more were read than predicted; below 0, fewer.
	Read int `json:"read"`
	// Reasons are what is likely, the likeliest first.
	Reasons []Reason `json:"reasons"`
}

// Reason is why a provider may have read something else than its rules say.
type Reason string

// The reasons.
const (
	// OtherReplica: another machine of the provider answered, which keeps its own.
	OtherReplica Reason = "another_replica"
	// Evicted: the provider gave the room to somebody else.
	Evicted Reason = "evicted"
	// Overdue: it was kept for a shorter time than is documented, or what was sent
	// between isn't in the row.
	Overdue Reason = "ttl"
	// Framing: what the provider adds around texts is in no count here.
	Framing Reason = "framing"
	// Conversation: messages that aren't in the row were read too.
	Conversation Reason = "conversation"
	// SentBefore: the same beginning was sent before, outside of the row.
	SentBefore Reason = "sent_before"
)

// deviates is the part of the tokens from which on a difference is told.
const deviates = 0.05

// bill sets what was billed beside what was predicted.
func (a *Analysis) bill(out *StepReport, s Step) {
	if s.Billed == nil {
		return
	}
	billed := *s.Billed
	out.Billed = &billed
	sum := a.report.Sum.Billed
	sum.Steps++
	sum.Input += billed.Input
	if billed.Read == nil {
		sum.Unknown++
		return
	}
	read := *billed.Read
	sum.Read += read
	sum.Written += *billed.Written
	sum.Paid += *billed.Paid
	if out.Prediction == nil {
		return
	}
	more := read - out.Prediction.Read
	if float64(max(more, -more)) <= deviates*float64(max(read, out.Prediction.Read)) {
		return
	}
	d := &Deviation{Read: more}
	switch {
	case more < 0 && s.At.IsZero():
		d.Reasons = []Reason{OtherReplica, Evicted, Overdue, Framing} // nothing expires without times
	case more < 0:
		d.Reasons = []Reason{OtherReplica, Evicted, Framing, Overdue}
	case s.Body == "" && s.Blocks == nil && (s.Request.Partial || len(s.Request.Messages) == 0):
		d.Reasons = []Reason{Conversation, SentBefore, Framing}
	default:
		d.Reasons = []Reason{SentBefore, Framing}
	}
	out.Deviation = d
}
