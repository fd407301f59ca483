package reminder_test

import (
	"testing"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/call"
	"github.com/cento-dev/cento/internal/manifest"
	"github.com/cento-dev/cento/reminder"
)

// FuzzRequest: a request is refused with an error that has a code, or it is
// answered; then the state that comes out is taken again, is the same when it is
// read back, and no body closes the envelope.
func FuzzRequest(f *testing.F) {
	for _, text := range cases.Texts(f, request) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := manifest.ParseReminders(request, data, cento.Limits{})
		if err != nil {
			coded(t, err)
			return
		}
		out, err := call.AnswerReminders(t.Context(), r, cento.Options{})
		if err != nil {
			coded(t, err)
			return
		}
		for _, s := range []*reminder.Session{&out.Session, out.Child} {
			if s == nil {
				continue
			}
			text := canonical(t, *s)
			var back reminder.Session
			if err := back.UnmarshalJSON([]byte(text)); err != nil {
				t.Fatalf("the state isn't taken again: %v\n%s", err, text)
			}
			if again := canonical(t, back); again != text {
				t.Fatalf("%s became %s", text, again)
			}
		}
		checkEnvelope(t, reminder.Reduce(out.Session.Reminders))
	})
}

func coded(t *testing.T, err error) {
	t.Helper()
	for _, e := range cento.SourceErrors(err) {
		if e.Code == "" || e.Message == "" {
			t.Fatalf("an error without code or message: %#v", e)
		}
	}
	if len(cento.SourceErrors(err)) == 0 {
		t.Fatalf("an error without a code: %v", err)
	}
}
