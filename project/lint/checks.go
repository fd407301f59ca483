package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/amend"
	"github.com/cento-dev/cento/internal/nearest"
	"github.com/cento-dev/cento/internal/profile"
	"github.com/cento-dev/cento/layer"
	"github.com/cento-dev/cento/model"
	"github.com/cento-dev/cento/pack"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
	"github.com/cento-dev/cento/workspace/skill"
)

// Checks returns all checks of this package, ordered by code.
func Checks() []Check {
	return []Check{
		{Code: "agent.unused", Doc: "The manifest says who the agent is, and nothing reads it.", whole: unusedNames, ofAll: true},
		{Code: pack.BlockOutside, Doc: "A prompt file that extends another has text outside of its blocks, which is in no prompt.", whole: notesOfFiles(pack.BlockOutside, "move it into a block, or between {# and #}")},
		{Code: pack.BlockUnplaced, Doc: "A prompt file has a block that none of those that it extends has, so it is in no prompt.", whole: notesOfFiles(pack.BlockUnplaced, "")},
		{Code: cento.CodeUnrendered, Doc: "A literal text or a heading has an expression or a tag of prompt files in it, which is sent as it is.", prompt: notes("", cento.CodeUnrendered)},
		{Code: "budget.tight", Doc: "A prompt with everything in it takes over 90 % of its budget.", prompt: tightBudgets},
		{Code: "cache.order", Doc: "A text changes more often than others behind it, which a prompt cache loses with it.", prompt: cacheOrder},
		{Code: "cap.undefined", Doc: "The manifest sets a capability that nothing asks for, or takes one away that nothing sets, and that is near to one of which this holds.", prompt: notes("", project.CapUndefined)},
		{Code: "catalog.unknown", Doc: "A text that words the program's own anew has a key that nothing reads.", prompt: notes("", "catalog.unknown")},
		{Code: "contradiction.gate", Doc: "A condition is false whenever the other gates of its fragment are open.", prompt: contradictions},
		{Code: "duplicate.text", Doc: "A paragraph of 80 bytes or more stands twice in one prompt.", prompt: repeatedTexts},
		{Code: "fragment.never", Doc: "A fragment is in the prompt of no target: its gates never open, or a layer or the budget takes it out.", whole: neverIncluded, ofAll: true},
		{Code: "frontmatter.ignored", Doc: "An included file has front matter beside vars, which has no effect there.", whole: ignoredFrontMatter},
		{Code: "frontmatter.text", Doc: "A prompt file has what reads as front matter and is none, so it stands in the prompt; or front matter of comments alone, which doesn't.", whole: textAsFrontMatter},
		{Code: "gate.unknown_cap", Doc: "A gate, condition or prompt file asks for a capability that nothing sets, and that is near to one that something may set.", prompt: notes("", project.CapUnknown)},
		{Code: project.ToolUnknown, Doc: "A gate, condition or prompt file asks for a tool that no target defines.", whole: unknownTools, ofAll: true},
		{Code: "guidance.missing", Severity: cento.SeverityNote, Doc: "A tool has no guidance, though others of the project have some.", prompt: missingGuidance},
		{Code: "ignore.unknown", Doc: "The manifest accepts findings of a code that no check has, or about what there is none of, beside something of nearly the name.", whole: unknownIgnored},
		{Code: "include.unreachable", Doc: "A prompt file of the project is named by no fragment and no other file.", whole: unreachable, ofAll: true},
		{Code: "instructions.below", Severity: cento.SeverityNote, Doc: "The project has instruction files that the prompt does not include.", prompt: notes("", workspace.InstructionsBelow)},
		{Code: "instructions.case", Doc: "A file has nearly the name of an instruction file, so that nobody reads it.", prompt: notes("rename it, or take it out", workspace.InstructionsCase)},
		{Code: "instructions.conflict", Severity: cento.SeverityNote, Doc: "Two instruction files have the same heading, or tell of the same command.", prompt: sayingTwice},
		{Code: "instructions.cut", Doc: "Project instructions are longer than what goes into the prompt.", prompt: notes("", workspace.InstructionsCut, workspace.InstructionsLeftOut)},
		{Code: "instructions.failed", Doc: "A file of project instructions can't be used, or can't be read as it is written.", prompt: notes("", workspace.InstructionsFailed, workspace.InstructionsLinkText, workspace.InstructionsFrontMatter)},
		{Code: "instructions.import", Doc: "A text names a file as an import, and the client does not load it.", prompt: notes("", workspace.InstructionsImport), whole: importsOfOthers},
		{Code: "instructions.key", Doc: "The front matter of a rule has a condition that the client doesn't read, so the rule is always loaded.", prompt: notes("", workspace.InstructionsKey)},
		{Code: "instructions.long", Doc: "Project instructions are longer than what other clients load, which cut them.", prompt: longInstructions},
		{Code: "instructions.pattern", Doc: "No path matches the patterns of a rule, so it is never read.", prompt: notes("", workspace.InstructionsPattern)},
		{Code: "instructions.twin", Doc: "The name of an instruction file reads like that of another, which is a different file.", prompt: notes("", workspace.InstructionsTwin)},
		{Code: "layers.unused", Doc: "Layers, or an execution prompt, are for a section plan that isn't in the prompt.", prompt: notes("", project.LayersUnused, project.ExecutionUnused)},
		{Code: "model.guessed", Doc: "The model isn't known, or who serves it: what holds for its kind stands for it.", prompt: notes("name one that `cento models` lists, or say what it is under models", model.CodeGuessed)},
		{Code: "model.unknown", Doc: "Nothing is known of the model, such as how much it takes in.", prompt: notes("name one that `cento models` lists, or say what it is under models", model.CodeUnknown)},
		{Code: "model.window", Doc: "A prompt takes more than its model takes in, or than Ollama is asked to run it with.", prompt: overWindow},
		{Code: "name.confusable", Doc: "A tool, variable or skill has a name that reads like another, or mixes scripts.", prompt: confusableNames},
		{Code: "name.unknown", Doc: "A prompt file reads a name that there is none of, or has a filter or test that doesn't exist in a condition; rendering it fails there.", whole: unknownNames},
		{Code: "path.dead", Doc: "A text tells to use, or links to, a file or folder of the project that isn't there.", prompt: deadPaths},
		{Code: "profile.broken", Doc: "A build file doesn't parse, so the prompt tells nothing of what it holds.", prompt: notes("", profile.Broken)},
		{Code: "profile.contradicted", Severity: cento.SeverityNote, Doc: "The instructions name another command for a task than the one that a tool runs by convention, so the profile names none.", prompt: notes("", project.ProfileContradicted)},
		{Code: "profile.undecided", Severity: cento.SeverityNote, Doc: "Files speak for different package managers, so the prompt names none.", prompt: notes("take out the lock files that aren't used", profile.Undecided)},
		{Code: "remove.unknown", Doc: "A layer takes out what nobody contributed.", prompt: unknownRemovals},
		{Code: "request.loss", Doc: "The request to a provider drops or changes something that the project sets, or the provider is known to refuse it.", prompt: lostInRequests},
		{Code: "request.refused", Severity: cento.SeverityError, Doc: "Cento can't build the request to the provider that the manifest or the model names.", prompt: refusedRequests},
		{Code: "scope.near", Doc: "A rule of the scope is for a place where nothing is, beside something with a near name.", prompt: nearTargets},
		{Code: "scope.none", Doc: "No scope is configured, so the prompt says nothing of what may be read and written.", prompt: noScope},
		{Code: "scope.tilde", Doc: "A target of the scope begins with ~, which names a folder of that name.", prompt: notes("", workspace.LiteralTilde)},
		{Code: "scope.void", Doc: "A rule of the scope allows what another one denies in all of its target.", whole: voidRules, ofAll: true},
		{Code: "secret", Doc: "A text holds what looks like a credential, and is sent to whoever serves the model.", prompt: notes("take it out, and revoke it if it was ever committed or sent", project.CodeSecret)},
		{Code: "section.split", Doc: "The fragments of one section aren't neighbours, so its heading stands twice.", prompt: splitSections},
		{Code: "skill.by_name", Severity: cento.SeverityNote, Doc: "A client whose list of skills has a limit, as it was measured, lists some of them by name alone.", prompt: skillsByName},
		{Code: "skill.deviates", Doc: "A skill breaks a rule of the Agent Skills specification. Cento lists it, and other clients may not: see cento skills show.", prompt: skillNotes(skill.Deviates)},
		{Code: "skill.invalid", Doc: "A skill can't be used, since it has no description or can't be read.", prompt: skillNotes(skill.NotUsable)},
		{Code: "skill.shadowed", Severity: cento.SeverityNote, Doc: "A skill can't be used, since another one has its name.", prompt: notes("", skill.NameTaken)},
		{Code: "skill.undefined", Doc: "The manifest excludes a skill that isn't there, and whose name is near to one that is.", prompt: notes("", project.SkillUndefined)},
		{Code: "skill.unread", Doc: "The prompt tells the model to read the files of skills, and it has no tool.", prompt: unreadSkills},
		{Code: "slot.forced", Doc: "A layer contributes to another slot than the one that the text stands in.", prompt: notes("", layer.CodeSlotForced)},
		{Code: "slot.same_id", Doc: "A layer contributes two texts of one id to a slot, so that a removal of that id takes one of them.", prompt: notes("give each an id of its own, or take one out", layer.CodeSameID)},
		{Code: "slot.twice", Doc: "The section plan places a slot more than once, so its texts stand twice.", prompt: notes("", layer.CodeSlotTwice)},
		{Code: "slot.unplaced", Doc: "A text is contributed to a slot that the section plan has no place for.", prompt: unplaced},
		{Code: "stability.raised", Doc: "A text is declared to change more seldom than what it reads does.", prompt: notes("", cento.CodeStabilityRaised)},
		{Code: "test.unknown_name", Doc: "A test sets or takes away what nothing knows by that name, so it says nothing of it.", whole: unknownTestNames, ofAll: true},
		{Code: "text.comment", Doc: "A text ends before a word with # in front, since a comment begins there.", prompt: notes("", project.CodeTextComment)},
		{Code: "text.conflict", Doc: "A text has the lines of a merge conflict that nobody settled.", prompt: mergeConflicts},
		{Code: "text.control_token", Doc: "A stranger's text has a control token of a model family, and it was broken.", prompt: textNotes(cento.CodeControlToken)},
		{Code: "text.forged", Doc: "A text imitates a heading of the program, and was quoted.", prompt: textNotes(cento.CodeForged)},
		{Code: "text.invisible", Doc: "A text has characters that nobody can see.", prompt: textNotes(cento.CodeInvisible)},
		{Code: "text.path", Doc: "A text is nothing but the path of a file, which is not read: the path is sent.", prompt: notes("", project.CodeTextPath)},
		{Code: "tool.dead_mention", Severity: cento.SeverityError, Doc: "The prompt tells of a tool that isn't active: the model will call it.", prompt: deadMentions},
		{Code: "tool.instruction_like", Doc: "The words of a tool give orders to the model, which they aren't there for.", prompt: instructingTools},
		{Code: "tool.reference", Doc: "A $ref in the schema of a tool leads to nothing.", prompt: notes("", toolReference)},
		{Code: "tool.required", Doc: "The schema of a tool requires what none of its properties is.", prompt: notes("", "tool.required")},
		{Code: "tool.undefined", Doc: "A target names a tool that nothing defines, though tools are defined.", prompt: notes("", project.ToolUndefined)},
		{Code: "tool.ungated_mention", Doc: "A text tells of a tool and stays when the tool goes.", prompt: ungatedMentions},
		{Code: "var.unknown", Doc: "A prompt file reads a variable that nobody declares.", whole: unknownVars, ofAll: true},
		{Code: "var.unused", Doc: "A variable is declared and nothing reads it.", whole: unusedVars, ofAll: true},
	}
}

// notes reports what collecting and assembling said.
func notes(hint string, codes ...cento.Code) func(*subject, *target, func(Finding)) error {
	return func(_ *subject, t *target, report func(Finding)) error {
		for _, n := range t.prompt.Notes() {
			if slices.Contains(codes, n.Code) {
				report(Finding{Position: n.Position, ID: n.Fragment, Message: n.Message, Hint: hint})
			}
		}
		return nil
	}
}

// importsOfOthers reports imports that other clients do not find, if the project has files
// of their own.
func importsOfOthers(s *subject, report func(Finding)) {
	for _, n := range s.othersImports {
		report(Finding{Position: n.Position, Message: n.Message})
	}
}

// skillNotes reports what is wrong with skills, with the hint of the first fault as
// `cento skills check` has it.
func skillNotes(code cento.Code) func(*subject, *target, func(Finding)) error {
	return func(_ *subject, t *target, report func(Finding)) error {
		hints := map[cento.Position]string{}
		if t.project.Skills != nil {
			for i := range t.project.Skills.Skills {
				x := &t.project.Skills.Skills[i]
				for _, err := range []error{x.Err, x.Deviation} {
					if list := cento.SourceErrors(err); len(list) > 0 {
						at := list[0].Position
						if at.Line == 0 {
							at = cento.Position{File: x.Path}
						}
						hints[at] = list[0].Hint
					}
				}
			}
		}
		for _, n := range t.prompt.Notes() {
			if n.Code == code {
				report(Finding{Position: n.Position, ID: n.Fragment, Message: n.Message, Hint: hints[n.Position]})
			}
		}
		return nil
	}
}

// skillsByName reports clients whose list has no room for all descriptions of the
// skills, where one of the project's is among those.
func skillsByName(_ *subject, t *target, report func(Finding)) error {
	found := t.project.SkillsThere()
	if found == nil {
		return nil
	}
	readings, lists := found.Clients()
	for k, l := range lists {
		text := l.CutText()
		if text == "" || strings.Contains(l.Client, "@") {
			continue
		}
		for i, r := range readings {
			if x := &found.Skills[i]; r[k].Listing == skill.Listed && x.Trust == cento.TrustWorkspace {
				report(Finding{
					Position: cento.Position{File: x.Path}, ID: l.Client, Message: text,
					Hint: "shorten descriptions, or take skills out: a skill without its description is hardly taken up",
				})
				break
			}
		}
	}
	return nil
}

// unknownRemovals reports what layers take out that isn't there. What may be meant
// otherwise is for people to decide.
func unknownRemovals(_ *subject, t *target, report func(Finding)) error {
	idle := t.project.Resolution().Idle()
	for _, n := range t.prompt.Notes() {
		if n.Code != layer.CodeRemoveUnknown {
			continue
		}
		f := Finding{Position: n.Position, ID: n.Fragment, Message: n.Message}
		if slices.Contains(idle, n.Position) {
			f.Hint = "take the key out of remove"
			f.proposal = &proposal{file: n.Position.File, everywhere: true, changes: []amend.Change{{Kind: amend.TakeOut, At: n.Position}}}
		}
		report(f)
	}
	return nil
}

// unknownTestNames reports names in what is different in tests.
func unknownTestNames(s *subject, report func(Finding)) {
	for _, n := range s.testNames {
		report(Finding{Position: n.Position, Message: n.Message, Hint: "write the name that is meant, or take it out of the test"})
	}
}

// unplaced reports texts whose slot has no place.
func unplaced(_ *subject, t *target, report func(Finding)) error {
	for i := range t.prompt.Len() {
		if f := t.prompt.Fragment(i); t.prompt.Code(i) == cento.CodeSlotUnplaced && f.Trust != cento.TrustBuiltin {
			out := Finding{Position: f.Origin, ID: f.ID, Message: f.ID + " isn't in the prompt: " + t.prompt.Reason(i), Hint: "place the slot in the template, or take the text out"}
			if x := f.Excluded; x.Layer != "" && !x.Origin.IsZero() {
				out.Related = []cento.Related{{Position: x.Origin, Message: "the template of layer `" + x.Layer + "`"}}
			}
			report(out)
		}
	}
	return nil
}

// missingGuidance reports active tools that say nothing of when to use them, where
// others do.
func missingGuidance(_ *subject, t *target, report func(Finding)) error {
	guided := func(tool cento.Tool) bool { return tool.Guidance != nil && strings.TrimSpace(*tool.Guidance) != "" }
	if !slices.ContainsFunc(t.project.Input.Tools, guided) {
		return nil
	}
	active := t.project.Input.ActiveTools()
	for _, tool := range t.project.Input.Tools {
		if tool.Server == "" && !guided(tool) && slices.Contains(active, tool.Name) {
			report(Finding{
				Position: tool.Origin, ID: "tool:" + tool.Name, Message: "the tool " + quoted(tool.Name) + " has no guidance, and others have",
				Hint: "say under guidance when to use it",
			})
		}
	}
	return nil
}

// unreadSkills reports a list of skills whose files nothing reads: the project says that there
// are no tools. Where it says nothing of tools, they are the caller's, and wording that somebody
// made is theirs.
func unreadSkills(_ *subject, t *target, report func(Finding)) error {
	in := &t.project.Input
	i, there := t.prompt.Index(cento.SkillCatalogID)
	if _, reworded := in.Files.Wording["skill_catalog"]; !there || !t.prompt.In(i) || reworded || in.AllTools || len(in.ActiveTools()) > 0 {
		return nil
	}
	at, mcp := t.setting("tools"), t.setting("tools", "mcp")
	if at.IsZero() || !mcp.IsZero() { // what a server has isn't known before it is asked
		return nil
	}
	report(Finding{
		Position: at, ID: cento.SkillCatalogID, Message: "the prompt tells the model to read the files of skills, and it has no tool",
		Hint: "define the tool that reads files, or take the list out with skills: {catalog: false}",
	})
	return nil
}

// setting is where the target says the value of a key, or else the manifest.
func (t *target) setting(path ...string) cento.Position {
	if t.name != "" {
		if at := t.project.SettingPosition(append([]string{"targets", t.name}, path...)...); !at.IsZero() {
			return at
		}
	}
	return t.project.SettingPosition(path...)
}

// ignoredFrontMatter reports what included files say in vain.
func ignoredFrontMatter(s *subject, report func(Finding)) {
	for _, f := range s.files {
		for _, n := range f.Notes() {
			if n.Code != pack.FrontMatterIgnored {
				continue
			}
			found := Finding{
				Position: n.Position, ID: n.Position.File, Message: n.Message,
				Hint: "move the gates to the fragment, or to the file that includes it",
			}
			// Where a fragment names the file, too, it isn't in vain.
			if s.opened[n.Position.File] == nil {
				found.proposal = &proposal{file: n.Position.File, keys: pack.IgnoredKeys(), everywhere: true}
			}
			report(found)
		}
	}
}

// textAsFrontMatter reports what files have in their text though it was meant for
// Cento, and what may be text and is taken for Cento's. One of them may be read for several.
func textAsFrontMatter(s *subject, report func(Finding)) {
	for _, f := range s.allFiles() {
		for _, n := range f.Notes() {
			f := Finding{Position: n.Position, ID: n.Position.File, Message: n.Message}
			switch n.Code {
			case pack.FrontMatterText:
				f.Hint = "front matter stands between two lines of --- alone, the first of which begins the file"
			case pack.FrontMatterComments:
				f.Hint = "take them out if nobody needs them"
			default:
				continue
			}
			report(f)
		}
	}
}

// notesOfFiles reports what prompt files have in vain. One of them may be read for several.
func notesOfFiles(code cento.Code, hint string) func(*subject, func(Finding)) {
	return func(s *subject, report func(Finding)) {
		for _, f := range s.allFiles() {
			for _, n := range f.Notes() {
				if n.Code == code {
					report(Finding{Position: n.Position, ID: n.Position.File, Message: n.Message, Hint: hint})
				}
			}
		}
	}
}

// textNotes reports what was found in the texts of fragments.
func textNotes(code cento.Code) func(*subject, *target, func(Finding)) error {
	return func(_ *subject, t *target, report func(Finding)) error {
		for _, trace := range t.trace() {
			for _, n := range trace.Notes {
				if n.Code == code {
					f := Finding{ID: trace.ID, Message: n.Message}
					if n.Position != nil {
						f.Position = *n.Position
					}
					report(f)
				}
			}
		}
		return nil
	}
}

// nearTargets reports rules of the scope that hold for nothing, and may be there for what
// stands beside.
func nearTargets(_ *subject, t *target, report func(Finding)) error {
	if t.project.Scope == nil {
		return nil
	}
	for _, n := range t.project.Scope.NearTargets() {
		report(Finding{
			Position: n.Rule.Position, Message: fmt.Sprintf("the %s rule names %s, and there is no such file or folder", n.Rule.Effect, quoted(n.Target)),
			Hint: "did you mean " + quoted(n.Near) + "?",
		})
	}
	return nil
}

// voidRules reports allow rules that give nothing in any prompt that has them. One that a
// target alone takes away is as it should be.
func voidRules(s *subject, report func(Finding)) {
	for _, at := range s.allowedAt {
		a := s.allowed[at]
		if a.gives {
			continue
		}
		allow, deny := &a.void.Allow, &a.void.Deny
		gives := "gives nothing"
		if deny.Permission == workspace.Write {
			gives = "gives reading alone"
		}
		report(Finding{
			Position: at, Message: fmt.Sprintf("the rule that allows %s %s %s: another denies %s %s", doing(allow.Permission), quoted(allow.As()), gives, doing(deny.Permission), quoted(deny.As())),
			Hint:    "what is denied counts, however specific the rule is that allows: take one of them out, or deny less",
			Related: []cento.Related{{Position: deny.Position, Message: "the rule that denies it"}},
			Targets: a.targets,
		})
	}
}

func doing(p workspace.Permission) string {
	if p == workspace.Write {
		return "writing"
	}
	return "reading"
}

func noScope(_ *subject, t *target, report func(Finding)) error {
	if t.project.Scope != nil {
		return nil
	}
	f := Finding{
		Position: cento.Position{File: t.project.Show(t.project.ManifestPath)}, Message: "the scope is off, so the prompt says nothing of what may be read and written",
		Hint: "take scope: off out, or write scope: {allow: [{target: ., permission: read}]}",
	}
	if !t.project.ScopeOff() {
		f.Message = "nothing says in which folder the agent works, so the prompt says nothing of what may be read and written"
		f.Hint = "name the folder as root in the request, or write scope: {allow: [{target: /src/app, permission: read}]}"
	}
	report(f)
	return nil
}

// longInstructionBytes is what the client with the lowest limit loads: Codex cuts
// at 32 KiB, all files together.
const longInstructionBytes = 32 << 10

// longInstructions reports instructions that other clients cut.
func longInstructions(_ *subject, t *target, report func(Finding)) error {
	text := t.project.Input.Instructions
	if text == nil {
		return nil
	}
	n := 0
	var at cento.Position
	for _, r := range text.Runs {
		if r.Trust == cento.TrustBuiltin || r.Var == "files" {
			continue // the words around them, and the names in their heading
		}
		if n == 0 {
			at = cento.Position{File: r.Position.File, Line: 1, Column: 1}
		}
		n += r.End - r.Start
	}
	if n > longInstructionBytes {
		report(Finding{
			Position: at, ID: cento.InstructionsID, Message: fmt.Sprintf("the project instructions are %d bytes; Codex cuts them at %d", n, longInstructionBytes),
			Hint: "say less, or move what concerns one folder into an AGENTS.md there",
		})
	}
	return nil
}

// neverIncluded reports fragments that are out in every target.
func neverIncluded(s *subject, report func(Finding)) {
	near := s.nearNames()
	for _, id := range s.order {
		v := s.verdicts[id]
		switch {
		case v.in:
		case v.code == cento.CodeSlotUnplaced, s.outByUnknownTool(v): // a check of its own tells it
		case s.takenOut(v): // as it is meant
		default:
			report(Finding{
				Position: v.at, ID: id, Message: "the fragment " + id + " is in the prompt of no target: " + v.reason, Hint: v.hint(near),
			})
		}
	}
}

// takenOut reports whether a capability that the manifest takes away from all prompts keeps
// out what the manifest itself doesn't gate on it.
func (s *subject) takenOut(v *verdict) bool {
	return v.code == cento.CodeCapMissing && s.takenAway[v.missing] == len(s.seen) && v.at.File != s.project.Show(s.project.ManifestPath)
}

// outByUnknownTool reports whether a tool that no target defines keeps the fragment out.
func (s *subject) outByUnknownTool(v *verdict) bool {
	return !v.in && (v.code == cento.CodeToolMissing || v.code == cento.CodeToolNone) && len(s.tools) > 0 && !s.tools[v.missing]
}

// nearNames offers, for a name that a gate misses, the nearest tool or capability that some
// target has; nothing where it has that one, nor behind the first names of very many, since
// each is held against all that there are.
func (s *subject) nearNames() func(code cento.Code, name string) string {
	type missed struct {
		cap  bool
		name string
	}
	tools, caps := slices.Sorted(maps.Keys(s.tools)), slices.Sorted(maps.Keys(s.caps))
	found := map[missed]string{}
	return func(code cento.Code, name string) string {
		m := missed{code == cento.CodeCapMissing, name}
		set, known := s.tools, tools
		if m.cap {
			set, known = s.caps, caps
		}
		near, there := found[m]
		if !there && !set[name] && len(found) < maxListed {
			near, _ = nearest.Name(name, known)
			found[m] = near
		}
		return near
	}
}

// hint says what lets the fragment in, by what keeps it out.
func (v *verdict) hint(nearName func(cento.Code, string) string) string {
	switch v.code {
	case cento.CodeToolMissing, cento.CodeToolNone, cento.CodeCapMissing:
		if near := nearName(v.code, v.missing); near != "" {
			return "did you mean " + quoted(near) + "?"
		}
	case cento.CodeBudgetDropped:
		where := ""
		if v.target != "" {
			where = " in the target " + quoted(v.target)
		}
		return fmt.Sprintf("a budget of %s tokens keeps it%s; or make it shorter, or take it out", cento.FormatTokens(v.staysFrom, v.exact), where)
	case cento.CodeNeedsOut:
		return "let in what it needs, or take it out"
	case cento.CodeLayerCleared, cento.CodeLayerReplaced, cento.CodeLayerRemoved:
		return "change that layer, or take it out"
	case cento.CodeDuplicate:
		return "take it out"
	}
	return "open its gate in a target, or take it out"
}

// splitSections reports headings that stand twice in a prompt.
func splitSections(_ *subject, t *target, report func(Finding)) error {
	seen := map[string]bool{}
	last := ""
	for _, bucket := range []cento.Bucket{cento.Before, cento.After} {
		for i, trace := range t.trace() {
			if !trace.Included || trace.Bucket != bucket {
				continue
			}
			section := ""
			if trace.Section != nil {
				section = *trace.Section
			}
			f := t.prompt.Fragment(i)
			// The headings of the program's own groups stand where their groups do.
			if section != "" && section != last && seen[section] && f.SectionForm == cento.RunHeading {
				report(Finding{
					Position: f.Origin, ID: trace.ID, Message: "the section " + quoted(section) + " is split: its heading stands again above this fragment",
					Hint: "put the fragments of a section next to each other, in one bucket",
				})
			}
			seen[section] = true
			last = section
		}
		last = ""
	}
	return nil
}

// unknownIgnored reports what the manifest accepts in vain: findings of a code that no check
// has, or about what there is none of, beside something of nearly the name. Any other may be
// there on another machine.
func unknownIgnored(s *subject, report func(Finding)) {
	var codes []string
	for _, c := range Checks() {
		codes = append(codes, string(c.Code))
	}
	var ids []string
	searched := 0
	for _, i := range s.project.Ignored() {
		if !slices.Contains(codes, i.Code) {
			report(Finding{
				Position: i.Position, ID: i.Code, Message: "ignore accepts findings of the code " + quoted(i.Code) + ", which no check has",
				Hint: nearest.Hint(i.Code, codes, "write the code that stands before the colon of a finding; what fails can't be accepted"),
			})
		}
		if i.ID == "" || s.unsure {
			continue // a prompt that wasn't looked at may have it
		}
		if ids == nil {
			ids = s.ids()
		}
		if _, there := slices.BinarySearch(ids, i.ID); there {
			continue
		}
		if searched++; searched > maxListed { // each is held against all that there are
			return
		}
		if near, ok := nearest.Name(i.ID, ids); ok {
			report(Finding{
				Position: i.IDPosition, ID: i.ID, Message: "ignore accepts findings about " + quoted(i.ID) + ", which there is none of",
				Hint: "did you mean " + quoted(near) + "?",
			})
		}
	}
}

// ids are what findings can be about, sorted: fragments, tools, prompt files, and what was
// found so far.
func (s *subject) ids() []string {
	all := maps.Clone(s.fragments)
	for name := range s.tools {
		all["tool:"+name] = true
	}
	for _, f := range s.allFiles() {
		all[f.Ref().Path()] = true
	}
	for _, f := range s.list {
		all[f.ID] = true
	}
	return slices.Sorted(maps.Keys(all))
}
