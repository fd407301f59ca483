package project

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/credential"
)

// maxSecrets is how many credentials of one text are told one by one.
const maxSecrets = 100

// secretsIn notes the credentials that were found in a text.
func secretsIn(t cento.Text, found []credential.Found) []cento.Note {
	var out []cento.Note
	for _, f := range found[:min(len(found), maxSecrets)] {
		out = append(out, cento.Note{
			Code: CodeSecret, Position: t.Locate(f.Start),
			Message: fmt.Sprintf("this looks like a credential (%s); keep it out of texts for a model", f.Rule),
		})
	}
	if rest := len(found) - maxSecrets; rest > 0 {
		out = append(out, cento.Note{
			Code: CodeSecret, Position: t.Locate(found[maxSecrets].Start),
			Message: fmt.Sprintf("this and %d more in the text look like credentials", rest-1),
		})
	}
	return out
}

// credentials finds those of a text, once for all targets.
func (s *shared) credentials(text string) []credential.Found {
	if found, there := s.secrets.Load(text); there {
		return found.([]credential.Found)
	}
	found := credential.Find(text)
	s.secrets.Store(text, found)
	return found
}

// secretNotes tells of credentials in every text that an input brings along:
// those of fragments, prompt files and wording, what is listed of skills, and the
// words of tools, which a request sends beside the prompt.
func (s *shared) secretNotes(in *cento.Input, fragments []cento.Fragment) []cento.Note {
	var notes []cento.Note
	scan := func(id string, t cento.Text) {
		for _, n := range secretsIn(t, s.credentials(t.Body)) {
			n.Fragment = id
			notes = append(notes, n)
		}
	}
	for _, f := range fragments {
		scan(f.ID, cento.Text{Body: f.Body, Runs: f.Runs, Trust: f.Trust, Origin: f.Origin})
	}
	for _, file := range slices.Sorted(maps.Keys(in.Files.Sources)) {
		scan("", cento.Text{Body: in.Files.Sources[file], Origin: cento.Position{File: file, Line: 1, Column: 1}})
	}
	for _, key := range slices.Sorted(maps.Keys(in.Files.Wording)) {
		scan("", in.Files.Wording[key])
	}
	for _, s := range in.Files.Skills {
		scan("", s.Description)
	}
	for _, t := range in.Tools {
		// The place of a definition is that of all its words.
		for _, words := range []string{t.Description, string(t.Parameters)} {
			scan("", cento.Text{Body: words, Runs: []cento.Run{{End: len(words), Position: t.Origin, Fixed: true}}})
		}
	}
	return notes
}
