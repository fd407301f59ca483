package session

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/reminder"
)

// SetSent lets a state say of envelopes what a session would after as many turns.
func SetSent(s *State, round, sealed string, recent ...reminder.SentEnvelope) {
	s.Sent = conversation{round: round, sealed: sealed}
	for _, e := range recent {
		s.Sent.recent = append(s.Sent.recent, sentRef{e.Turn, e.Text})
	}
}

// Holding is what a service says that it holds.
type Holding struct{ Bytes, Texts, Prompts, Inputs, Sessions int }

func (s *Service) Held() Holding {
	m := s.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	return Holding{m.held, len(m.texts), len(m.prompts), len(m.inputs), len(m.sessions)}
}

// What is stored, for the tests outside of the package.
type State = storedState

const (
	Format      = storedFormat
	MaxMetadata = maxMetadata
	MaxRecent   = maxRecent
	MostThawing = mostThawing
)

var ReadState = readState

// AppendJSON is the form in which a state is stored.
func (s *storedState) AppendJSON(dst []byte) ([]byte, error) { return s.appendJSON(dst) }

// WithReduce makes prompts by another function, as another release would.
func (s *Service) WithReduce(reduce func(cento.Input) (*cento.Prompt, error)) *Service {
	s.reduce = func(in cento.Input) (*cento.Prompt, pack.ClockUse, error) {
		p, err := reduce(in)
		return p, pack.ClockWhole, err
	}
	return s
}
