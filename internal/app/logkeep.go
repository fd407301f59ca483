package app

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"time"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/tree"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/session"
	"github.com/cento-dev/cento/store"
)

// The use cases of this file keep a store: they prove it, carry it elsewhere, and
// take things out of it.

// Progress is told how much of all is done; all is 0 where that isn't known.
type Progress func(done, all int64)

// maxHeads is the largest file of heads that is read, in bytes.
const maxHeads = 256 << 20

// NoHeads: a file that is said to be the result of an earlier verification
// isn't one.
const NoHeads cento.ErrorCode = "log.heads"

// Verify holds every record of a session, or of all, to its hash. against names
// the JSON of an earlier verification, whose last records must still be there;
// empty for none.
func (l *Log) Verify(ctx context.Context, session, against string, progress Progress) (*Verification, error) {
	heads, err := readHeads(against)
	if err != nil {
		return nil, err
	}
	return l.store.Verify(ctx, store.VerifyOptions{Session: session, Heads: heads, Progress: progress})
}

func readHeads(name string) ([]store.Stored, error) {
	if name == "" {
		return nil, nil
	}
	f, err := tree.ReadPath(name, tree.Options{Limit: maxHeads})
	if err != nil {
		return nil, err
	}
	var v store.Verification
	if err := json.Unmarshal([]byte(f.Text), &v); err != nil || v.Heads == nil {
		return nil, &cento.SourceError{Code: NoHeads, Message: filepath.ToSlash(name) + " holds no heads", Hint: "make one with cento log verify --json"}
	}
	return v.Heads, nil
}

// Export writes what is recorded as JSON lines.
func (l *Log) Export(ctx context.Context, to io.Writer, session string, progress Progress) error {
	return l.store.Export(ctx, to, store.ExportOptions{Session: session, Progress: progress})
}

// ExportOf writes what is recorded of one session, or of all, as JSON lines: of those
// that belong to one of the projects, nil for any.
func (l *Log) ExportOf(ctx context.Context, to io.Writer, session string, projects []string) error {
	return l.store.Export(ctx, to, store.ExportOptions{Session: session, Projects: projects})
}

// Import adds what was exported to a file. A name of - is the text that from
// gives.
func (l *Log) Import(ctx context.Context, name string, from io.Reader, progress Progress) (*Imported, error) {
	o := store.ImportOptions{Name: filepath.ToSlash(name), Progress: func(lines int64) { progress(lines, 0) }}
	if name == "-" {
		o.Name = "<stdin>"
		return l.store.Import(ctx, from, o)
	}
	return l.store.ImportFile(ctx, name, o)
}

// Sweep lets records go that are older than a time, zero for none, but for the
// newest of each session, as many as keep says, and for what a session that went
// on needs. A dry one tells what would go.
func (l *Log) Sweep(ctx context.Context, before time.Time, keep int, dry bool, progress Progress) (*Collected, error) {
	return l.store.GC(ctx, store.GCOptions{Before: before, Keep: int64(keep), DryRun: dry, Needs: session.Needs, Progress: progress})
}

// Redact takes the texts of a fragment out, for good: of a session of the project or
// of one of its records, when ref names them. A dry one tells what would go.
func (l *Log) Redact(ctx context.Context, fragment string, ref RecordRef, dry bool, progress Progress) (*Redaction, error) {
	if ref.Session != "" {
		if err := l.Reaches(ctx, ref.Session); err != nil {
			return nil, err
		}
	}
	return l.store.Redact(ctx, store.RedactOptions{Fragment: fragment, Session: ref.Session, Seq: ref.Seq, DryRun: dry, Progress: progress, MadeOf: pack.MadeOf})
}
