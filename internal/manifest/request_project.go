package manifest

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/wire"
)

// ProjectRequest asks something about the prompt of a project: of one that lies on
// disk, of one that comes with the request, or of an input that was recorded.
// Exactly one of Folder, Input, Record, and Manifest with Files, is set; none of them: an
// empty manifest.
type ProjectRequest struct {
	// Folder is where the project lies; empty for none.
	Folder string
	// Manifest is the manifest as text, JSON by the name of the request; nil for
	// none.
	Manifest []byte
	// Files are texts by their paths, which are local. Root is the folder that they
	// lie in, absolute; empty when that isn't known.
	Files map[string]string
	Root  string
	// Prefixes are those of the caller's own prompt files.
	Prefixes map[pack.Prefix]pack.Own
	// Input is what a prompt was made of, JSON; nil for none.
	Input json.RawMessage
	// Record is the hash of a record, whose input it is; empty for none.
	Record string
	Changes
	// The rest is handed over beside the files, as the word of the host unless a
	// fragment says that it is somebody else's.
	Host cento.Host
	// System is the agent's main text; nil for the project's own.
	System *cento.Text
	// Parts is the agent's own block, instead of everything else in it; nil for none.
	Parts     []cento.Fragment
	Fragments []cento.Fragment
	// Profile is a project profile, JSON; nil for the project's own.
	Profile json.RawMessage
	// Tokens says whether to count; nil: as the operation does by itself.
	Tokens *bool
	// AllReasons tells of every failed condition.
	AllReasons bool
	// As is how `why` reads Text: id, at or text; empty for the first that fits.
	As string
	// Text is what `why` looks for, with its place, and what `models` are asked for.
	Text   string
	TextAt cento.Position
	// To is the other side of `diff` and `cache`: these changes over those above.
	To *Changes
	// Wired asks for the request of a provider as well, where that isn't what is asked for.
	// Form is the name of its form, with its place; empty: that of the manifest or the
	// model. Messages are the conversation, and Partial leaves it out.
	Wired    bool
	Form     string
	FormAt   cento.Position
	Messages []wire.Message
	Partial  bool
	// MaxTokens and Extra go over those of the manifest; 0 and nil for none. WirePlaces are
	// where they stand, as [wire.Request] names them.
	MaxTokens  int
	Extra      json.RawMessage
	WirePlaces map[string]cento.Position
	// By is what an ablation takes out at a time, with its place; empty: fragments.
	By   string
	ByAt cento.Position
	// Strict: a warning of `check` says no.
	Strict bool
	// Position is the place of the request, Named those of the keys that say what project
	// it is about, in the order of the request.
	Position cento.Position
	Named    []NamedKey
}

// NamedKey is a key of a request that says what project it is about: project, manifest,
// files, root, prefixes or input.
type NamedKey struct {
	Name     string
	Position cento.Position
}

// At is the place of such a key, or of the request where it has none.
func (r *ProjectRequest) At(key string) cento.Position {
	for _, k := range r.Named {
		if k.Name == key {
			return k.Position
		}
	}
	return r.Position
}

// Templates are the references to prompt files in the texts that are handed over, each
// with the place that names it.
func (r *ProjectRequest) Templates() iter.Seq2[string, cento.Position] {
	return func(yield func(string, cento.Position) bool) {
		for _, list := range [][]cento.Fragment{r.Fragments, r.Parts} {
			for i := range list {
				if list[i].Template != "" && !yield(list[i].Template, cmp.Or(list[i].TemplateOrigin, list[i].Origin)) {
					return
				}
			}
		}
		h := &r.Host
		for _, option := range []cento.HostOption{h.SystemPreamble, h.SystemPrefix, h.SystemContext, h.SystemPromptParts, h.SystemAppendix, h.SystemSuffix} {
			if !templatesOf(option.Parts, yield) {
				return
			}
		}
	}
}

// templatesOf hands on the references of host parts, and reports whether more are wanted.
func templatesOf(parts []cento.HostPart, yield func(string, cento.Position) bool) bool {
	for i := range parts {
		if parts[i].Template != "" && !yield(parts[i].Template, cmp.Or(parts[i].TemplateOrigin, parts[i].Origin)) || !templatesOf(parts[i].Parts, yield) {
			return false
		}
	}
	return true
}

// originFile says which project is meant.
type originFile struct {
	Project  *text            `json:"project,omitempty" jsonschema:"Folder of a project, from the folder of the run."`
	Manifest *anyFile         `json:"manifest,omitempty" jsonschema:"A manifest, as in cento.yaml, that comes with the request: instead of the one of project, or of a project that is nothing but what comes with the request."`
	Files    map[string]*text `json:"files,omitempty" jsonschema:"The files of a project that comes with the request, by their paths from its folder, such as AGENTS.md or .cento/prompts/review.md. There are no others, and nothing of the user's." names:"a file"`
	Root     *text            `json:"root,omitempty" jsonschema:"Absolute folder that such a project lies in, as its prompt names it. Without it there is no scope but one of absolute targets."`
	Prefixes *prefixesFile    `json:"prefixes,omitempty" jsonschema:"Prompt files of the caller's own by prefix, such as $insomnia, with how far they are trusted. $builtin stands instead of the files that are built in."`
}

// sourceFile says where the prompt comes from.
type sourceFile struct {
	changesFile
	originFile
	Input  *inputFile `json:"input,omitempty" jsonschema:"A recorded input, as cento log show --input prints it, instead of a project; for a service, the hash of the record."`
	System *text      `json:"system,omitempty" jsonschema:"The agent's main text, instead of the project's."`
	hostOptions
	Primary   *partsFile     `json:"primary,omitempty" jsonschema:"The agent's own block."`
	Fragments []fragmentFile `json:"fragments,omitempty" jsonschema:"Further fragments, behind those of the project, in the order of the prompt."`
	Profile   *givenFile     `json:"profile,omitempty" jsonschema:"A project profile that stands instead of the project's own, as cento profile --json prints it."`
}

// partsFile is the agent's own block as a list.
type partsFile struct {
	Parts []fragmentFile `json:"parts" jsonschema:"Fragments that stand instead of everything else in the block, each gated and traced on its own."`
}

// assembleFile asks for a prompt.
type assembleFile struct {
	sourceFile
	Tokens *bool `json:"tokens,omitempty" jsonschema:"Whether to count tokens; default false, since a prompt is used more often than it is measured."`
}

// explainFile asks what is in a prompt, and why.
type explainFile struct {
	sourceFile
	Tokens     *bool `json:"tokens,omitempty" jsonschema:"Whether to count tokens; default true."`
	AllReasons bool  `json:"all_reasons,omitempty" jsonschema:"Tell every condition that fails, not the first alone; default false."`
}

// ablateRequestFile asks what each part of a prompt is worth.
type ablateRequestFile struct {
	sourceFile
	By *text `json:"by,omitempty" jsonschema:"What is taken out at a time: fragment (the default), section, source, group, layer or tool."`
}

// budgetRequestFile asks what a budget does to a prompt.
type budgetRequestFile struct{ sourceFile }

// whyFile asks where a text comes from.
type whyFile struct {
	sourceFile
	formFile
	Text text  `json:"text" jsonschema:"The id of a fragment; FILE, FILE:LINE or FILE:LINE:COLUMN; or else a text to look for, in which white space is folded."`
	As   *text `json:"as,omitempty" jsonschema:"How text is read: id, at (a file) or text; default the first of them that fits."`
}

// diffFile asks for the difference between two prompts.
type diffFile struct {
	sourceFile
	To changesFile `json:"to" jsonschema:"What is different on the other side: each key stands instead of the one beside it, and the others hold for both."`
}

// cacheRequestFile asks what a change does to what the prompt cache keeps.
type cacheRequestFile struct {
	sourceFile
	To       changesFile   `json:"to" jsonschema:"What is different in the second request: each key stands instead of the one beside it, and the others hold for both."`
	Provider *text         `json:"provider,omitempty" jsonschema:"Name of the form of both requests, such as anthropic; default that of the manifest, else the model's."`
	Messages []messageFile `json:"messages,omitempty" jsonschema:"The conversation of both, oldest first; without it tools and system prompts are set beside each other."`
}

// modelsFile asks what is known of language models.
type modelsFile struct {
	strict.At
	originFile
	Query *text `json:"query,omitempty" jsonschema:"Part of a name, provider or family, or a name as a provider gives it; default all."`
}

// wireRequestFile asks for the request of a provider.
type wireRequestFile struct {
	sourceFile
	formFile
}

// formFile says what the request of a provider has beside the prompt.
type formFile struct {
	Provider *text         `json:"provider,omitempty" jsonschema:"Name of the form of the request, such as anthropic; default that of the manifest, else the model's."`
	Messages []messageFile `json:"messages,omitempty" jsonschema:"The conversation, oldest first."`
	Partial  bool          `json:"partial,omitempty" jsonschema:"Leave the conversation out; default false."`
	// Of who asks, so that no approval is needed.
	MaxTokens *count     `json:"max_tokens,omitempty" jsonschema:"Most tokens of the answer; default that of the manifest."`
	Extra     *extraFile `json:"extra,omitempty" jsonschema:"Further top-level members of the request, as the provider documents them, such as stream or tool_choice. They go over those of the manifest." names:"a member"`
}

// checkFile asks for findings.
type checkFile struct {
	strict.At
	originFile
	Target *text `json:"target,omitempty" jsonschema:"A target of the manifest, alone instead of all."`
	Strict bool  `json:"strict,omitempty" jsonschema:"Say no to warnings too; default false."`
	Now    *text `json:"now,omitempty" jsonschema:"The clock, as in RFC 3339; its offset is the time zone. Default the time of the run for a project on disk; reading the time is an error in any other."`
}

// anyFile is a map that somebody else reads.
type anyFile struct{ node *strict.Node }

func (a *anyFile) DecodeNode(d *strict.Decoder, n *strict.Node) {
	if n.Kind() != strict.Map {
		d.Expected(n, strict.Map.String())
		return
	}
	a.node = n
}

// alone is the value as a text of its own, with its places; nil for none.
func (a *anyFile) alone() []byte {
	if a == nil || a.node == nil {
		return nil
	}
	return a.node.Alone()
}

// ParseAssemble reads a request for a prompt; see [ParseReduce] for its arguments
// and errors, as for those below.
func ParseAssemble(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *assembleFile, r *ProjectRequest) {
		f.request(d, r)
		r.Tokens = f.Tokens
	})
}

// ParseExplain reads a request to explain a prompt.
func ParseExplain(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *explainFile, r *ProjectRequest) {
		f.request(d, r)
		r.Tokens, r.AllReasons = f.Tokens, f.AllReasons
	})
}

// ParseExplainRecord reads a request to explain the prompt of a record that is named beside
// the request: what a recorded input can't take is refused, and so is what names another.
func ParseExplainRecord(name string, data []byte, record string, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *explainFile, r *ProjectRequest) {
		for _, key := range append(slices.Clip(naming), "profile") {
			if f.Has(key) {
				d.In(key, func() {
					d.Fail(f.Position(), Conflict, "the request is about the record %s, which is all that its prompt is made of", record).Hint = "leave " + key + " out"
				})
				return
			}
		}
		f.Input = &inputFile{at: r.Position, hash: record}
		f.request(d, r)
		r.Tokens, r.AllReasons = f.Tokens, f.AllReasons
	})
}

// ParseAblate reads a request to tell what each part of a prompt is worth.
func ParseAblate(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *ablateRequestFile, r *ProjectRequest) {
		f.request(d, r)
		if r.By = notBlankText(d, "by", f.By); f.By != nil {
			r.ByAt = f.By.Position()
		}
	})
}

// ParseBudget reads a request to tell what a budget does to a prompt.
func ParseBudget(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *budgetRequestFile, r *ProjectRequest) {
		f.request(d, r)
	})
}

// ParseWhy reads a request to find a text.
func ParseWhy(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *whyFile, r *ProjectRequest) {
		f.request(d, r)
		f.wire(d, r)
		r.Text = f.Text.Value
		if f.As != nil {
			r.As = f.As.Value
			if !slices.Contains([]string{"id", "at", "text"}, r.As) {
				d.In("as", func() {
					d.Fail(f.As.Position(), strict.WrongValue, "%q is not a way to read text", r.As).Hint = "write id, at or text"
				})
			}
		}
		if _, ok := f.Text.Text(); ok && strings.TrimSpace(r.Text) == "" {
			d.In("text", func() { d.Fail(f.Text.Position(), strict.WrongValue, "the text to look for is blank") })
		}
	})
}

// ParseDiff reads a request to compare two prompts.
func ParseDiff(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *diffFile, r *ProjectRequest) {
		f.request(d, r)
		f.To.other(d, r)
	})
}

// other reads what is different on the other side of two.
func (f *changesFile) other(d *strict.Decoder, r *ProjectRequest) {
	d.In("to", func() {
		to := f.changes(d)
		if len(to.given) == 0 && !f.Position().IsZero() {
			d.Fail(f.Position(), strict.WrongValue, "nothing is different on the other side").Hint = "say what is, as in {\"without_tools\": [\"todo\"]}"
		}
		if r.Recorded() {
			f.collectedAlready(d)
		}
		r.To = &to
	})
}

// ParseCache reads a request to tell what a change does to what the prompt cache keeps.
func ParseCache(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *cacheRequestFile, r *ProjectRequest) {
		f.request(d, r)
		f.To.other(d, r)
		r.form(d, f.Provider)
		d.In("messages", func() { r.Messages = messages(d, f.Messages) })
	})
}

// form is the name of the form of a request.
func (r *ProjectRequest) form(d *strict.Decoder, provider *text) {
	if r.Form = notBlankText(d, "provider", provider); provider != nil {
		r.FormAt = provider.Position()
	}
}

// ParseModels reads a request for what is known of models: its Text is what is asked for.
func ParseModels(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *modelsFile, r *ProjectRequest) {
		f.origin(d, r)
		r.Text = notBlankText(d, "query", f.Query)
	})
}

// ParseWire reads a request to write the request of a provider.
func ParseWire(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *wireRequestFile, r *ProjectRequest) {
		f.request(d, r)
		f.wire(d, r)
	})
}

// wire reads what the request of a provider has beside the prompt. Any of its keys asks
// for one.
func (f *formFile) wire(d *strict.Decoder, r *ProjectRequest) {
	r.form(d, f.Provider)
	r.Partial = f.Partial
	d.In("messages", func() { r.Messages = messages(d, f.Messages) })
	if f.Partial && len(f.Messages) > 0 {
		d.Report(PartialWithMessages(f.Messages[0].Position()))
	}
	r.WirePlaces = map[string]cento.Position{}
	if f.MaxTokens != nil {
		r.MaxTokens, r.WirePlaces[wire.MaxTokensPlace] = f.MaxTokens.Value, f.MaxTokens.Position()
	}
	if f.Extra != nil && len(f.Extra.members) > 0 {
		r.Extra = f.Extra.object()
		for _, m := range f.Extra.members {
			r.WirePlaces[wire.ExtraPlace(m.name)] = m.at
		}
	}
	r.Wired = f.Provider != nil || f.Partial || f.Messages != nil || f.MaxTokens != nil || f.Extra != nil
}

// PartialWithMessages refuses a conversation, at a place, where the request of a provider
// is to have none.
func PartialWithMessages(at cento.Position) error {
	return &cento.SourceError{Code: Conflict, Position: at, Message: "partial leaves the conversation out, and here is one", Hint: "keep one of the two"}
}

// ParseCheck reads a request to check a project.
func ParseCheck(name string, data []byte, limits cento.Limits) (*ProjectRequest, error) {
	return parseProject(name, data, limits, func(d *strict.Decoder, f *checkFile, r *ProjectRequest) {
		f.origin(d, r)
		r.Target, r.Strict, r.Changes.Now = notBlankText(d, "target", f.Target), f.Strict, clock(d, f.Now)
	})
}

// parseProject reads a request of one of the forms above.
func parseProject[File any](name string, data []byte, limits cento.Limits, request func(*strict.Decoder, *File, *ProjectRequest)) (*ProjectRequest, error) {
	n, err := strict.JSON(name, data, limits.Or(cento.DefaultLimits()))
	if err != nil {
		return nil, err
	}
	d := strict.Decoder{Trust: cento.TrustHost, PromptFiles: true, Prefixes: prefixesOf(n)}
	f, r := new(File), &ProjectRequest{Position: n.Position()}
	d.Decode(n, f)
	request(&d, f, r)
	if err := d.Err(); err != nil {
		return nil, err
	}
	for key, value := range n.Members() {
		if name, _ := key.Text(); slices.Contains(naming, name) && value.Kind() != strict.Null {
			r.Named = append(r.Named, NamedKey{name, key.Position()})
		}
	}
	return r, nil
}

// naming are the keys that say what project a request is about.
var naming = []string{"project", "manifest", "files", "root", "prefixes", "input"}

// maxEntries is how many files may come with a request, the folders of their paths
// among them: each is looked for and looked into by every part of a project.
const maxEntries = 4000

// entries are files and the folders that they lie in.
type entries map[string]bool

// add takes in a file by its path, and reports whether there are too many now.
func (e entries) add(name string) (tooMany bool) {
	for ; !e[name]; name = name[:strings.LastIndexByte(name, '/')] {
		if e[name] = true; len(e) > maxEntries {
			return true
		}
		if !strings.Contains(name, "/") {
			break
		}
	}
	return false
}

// origin says which project is meant.
func (f *originFile) origin(d *strict.Decoder, r *ProjectRequest) {
	r.Folder, r.Root = notBlankText(d, "project", f.Project), notBlankText(d, "root", f.Root)
	r.Manifest = f.Manifest.alone()
	if f.Prefixes != nil {
		r.Prefixes = f.Prefixes.own
	}
	all := entries{}
	for _, name := range slices.Sorted(maps.Keys(f.Files)) {
		text := f.Files[name]
		if text == nil {
			continue
		}
		if all.add(name) {
			d.In("files", func() {
				d.Fail(text.Position(), cento.LimitExceeded, "more than %d files and folders of files come with the request; this one, in the order of their paths, is the first too many", maxEntries).Hint = "name a project on disk instead: project"
			})
			break
		}
		d.In("files", func() { d.In(name, func() { f.file(d, name, text) }) })
		if r.Files == nil {
			r.Files = map[string]string{}
		}
		r.Files[name] = text.Value
	}
	if f.Root != nil && f.Project != nil {
		conflict(d, "project", f.Project.Position(), "root", f.Root.Position(), "a project on disk lies where it lies")
	}
	if r.Root != "" && !filepath.IsAbs(r.Root) && !path.IsAbs(r.Root) {
		d.In("root", func() {
			d.Fail(f.Root.Position(), strict.WrongValue, "expected an absolute folder, got %q", r.Root).Hint = "as in /src/acme"
		})
	}
}

// file checks the path of a file that comes with a request.
func (f *originFile) file(d *strict.Decoder, name string, text *text) {
	switch {
	case f.Project != nil:
		conflict(d, "project", f.Project.Position(), "files", text.Position(), "a project on disk has its own files")
	case isBlank(name): // as was reported
	case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\\x00"):
		d.Fail(text.Position(), strict.WrongValue, "%q is no path from the folder of the manifest", name).Hint = "as in .cento/prompts/review.md"
	case name == FileName && f.Manifest != nil:
		conflict(d, "manifest", f.Manifest.node.Position(), FileName, text.Position(), "a project has one manifest")
	}
}

// recorded reads that the prompt is made of an input that was recorded, and refuses what
// such a one has already.
func (f *sourceFile) recorded(d *strict.Decoder, r *ProjectRequest) {
	const all = "a recorded input is all that its prompt is made of"
	at := f.Input.at
	r.Input, r.Record = f.Input.text, f.Input.hash
	for _, x := range []struct {
		key string
		at  *text
	}{{"project", f.Project}, {"root", f.Root}} {
		if x.at != nil {
			conflict(d, "input", at, x.key, x.at.Position(), all)
		}
	}
	if f.Manifest != nil && f.Manifest.node != nil {
		conflict(d, "input", at, "manifest", f.Manifest.node.Position(), all)
	}
	if len(f.Files) > 0 {
		d.Fail(at, Conflict, "input and files exclude each other").Hint = all
	}
	if f.Prefixes != nil {
		d.Fail(at, Conflict, "input and prefixes exclude each other").Hint = "a recorded input has the files that it was made of"
	}
	if f.Profile != nil {
		d.Fail(at, Conflict, "input and profile exclude each other").Hint = "a recorded input has its profile"
	}
	f.collectedAlready(d)
}

// request is what the keys say that several operations have.
func (f *sourceFile) request(d *strict.Decoder, r *ProjectRequest) {
	f.origin(d, r)
	if f.Input != nil && !f.Input.at.IsZero() {
		f.recorded(d, r)
	}
	r.Changes = f.changes(d)
	r.Host, r.System = f.host(), textOf(f.System, d.Trust)
	d.In("fragments", func() { r.Fragments = fragments(d, f.Fragments, "", false) })
	if f.Primary != nil {
		d.In("primary", func() {
			d.In("parts", func() {
				if r.Parts = fragments(d, f.Primary.Parts, "", false); r.Parts == nil {
					r.Parts = []cento.Fragment{}
				}
			})
		})
	}
	for _, list := range [][]cento.Fragment{r.Fragments, r.Parts} {
		for i := range list {
			if list[i].Source == "" {
				list[i].Source = list[i].ID
			}
		}
	}
	if f.Profile != nil {
		r.Profile = f.Profile.Alone()
	}
}
