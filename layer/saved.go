package layer

// Saved is what is kept of a stack from one run of a session to the next: the
// session's own layer. The host's layer is always live, and there is no place
// for it here.
//
// An absent layer and an empty one differ. A session whose layer was emptied has
// decided so: saved, the empty layer is there again on reopening.
type Saved struct {
	// Session is nil when the session has no layer.
	Session *Layer
}

// Reopen gives the session's layer when it is opened again: the one that the
// host hands over wins, also when it is empty; else the saved one; nil when
// there is neither.
func (s Saved) Reopen(given *Layer) *Layer {
	if given != nil {
		return given
	}
	return s.Session
}

// AppendJSON appends what is saved in canonical form: `{}` for no layer,
// `{"session":{}}` for an empty one. Its error is that of [Layer.AppendJSON].
func (s Saved) AppendJSON(dst []byte) ([]byte, error) {
	return write(dst, func(w writer) {
		w.Begin()
		if s.Session != nil {
			w.Member("session")
			w.layer(s.Session)
		}
		w.End()
	})
}

// MarshalJSON gives the form of [Saved.AppendJSON].
func (s Saved) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON reads what was saved, as strictly as [Read] does.
func (s *Saved) UnmarshalJSON(data []byte) error {
	var f savedFile
	if err := unmarshal(data, &f); err != nil {
		return err
	}
	s.Session = f.Session
	return nil
}

type savedFile struct {
	Session *Layer `json:"session,omitempty"`
}
