package pack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// The texts of the catalog, one function for each key. Each is rendered with the
// variables of its key, which keep their own places and trust.

// WorkingBoundariesSection is the protected section on what may be read and
// written, its heading included.
func (c *Catalog) WorkingBoundariesSection(summary cento.Text) (cento.Text, error) {
	return c.render(workingBoundariesKey, data("scope_summary", summary))
}

// AgentsMDSection is the protected section of project instructions, its heading
// included. The paths are those of the files that the text is from: its heading names
// the first three.
func (c *Catalog) AgentsMDSection(agentsMD cento.Text, paths []string) (cento.Text, error) {
	var files []string
	for _, path := range paths[:min(len(paths), maxPathsNamed)] {
		files = append(files, printable(path))
	}
	named := strings.Join(files, ", ")
	if more := len(paths) - len(files); more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return c.render(agentsMDKey, data("agents_md", agentsMD), data("files", cento.Text{Body: named, Trust: cento.TrustWorkspace}))
}

// maxPathsNamed is how many files the heading of project instructions names.
const maxPathsNamed = 3

// HostText is one of the texts that a host says itself: [CompactSystem],
// [NotifyWrapper], [InterruptToolResultSummary] or [InterruptSystemNote]. The
// message is what the second wraps; the others don't read it. Another key is an
// error of the code [NotFound].
func (c *Catalog) HostText(key Key, message cento.Text) (cento.Text, error) {
	switch key {
	case CompactSystem, InterruptToolResultSummary, InterruptSystemNote:
		return c.render(key)
	case NotifyWrapper:
		return c.render(key, data("message", message))
	}
	return cento.Text{}, &cento.SourceError{
		Code: NotFound, Message: "the catalog has no text " + quote(string(key)) + " for hosts",
		Hint: didYouMean(string(key), hostKeys, "the texts for hosts are "+strings.Join(hostKeys, ", ")),
	}
}

var hostKeys = []string{
	string(CompactSystem), string(InterruptSystemNote), string(InterruptToolResultSummary), string(NotifyWrapper),
}

// defaultAgentName is whom the agent is told to be when nobody named it.
const defaultAgentName = "an AI coding assistant"

// MainAgentIntro says who the agent is; a blank name means "an AI coding
// assistant".
func (c *Catalog) MainAgentIntro(name cento.Text) (cento.Text, error) {
	name = named(agentName(name))
	return c.render(mainAgentIntroKey, value{"agent", agentValue(name), map[string]cento.Text{"agent.name": name}})
}

func agentName(name cento.Text) cento.Text {
	if strings.TrimSpace(name.Body) == "" {
		return cento.Text{Body: defaultAgentName, Trust: cento.TrustBuiltin}
	}
	return name
}

// Guidance is one fragment of the core guidance. Those after the first are
// joined to the one before by a single newline.
type Guidance struct {
	ID            string // core_guidance, core_guidance.ask, core_guidance.rest
	Text          cento.Text
	RequiresTools []string
}

// CoreGuidance is the general advice to an agent: three fragments of one list
// in the built-in wording, so that the trace shows why the second line is in,
// and one fragment in any other.
func (c *Catalog) CoreGuidance() ([]Guidance, error) {
	text, err := c.render(coreGuidanceKey)
	if err != nil {
		return nil, err
	}
	out := []Guidance{{ID: string(coreGuidanceKey), Text: text}}
	for i, rest := range c.rest {
		g := guidanceRest[i]
		text, err := rest.render(c.base(), nil)
		if err != nil {
			return nil, err
		}
		out = append(out, Guidance{ID: g.id, Text: text, RequiresTools: slices.Clone(g.tools)})
	}
	return out, nil
}

// mcpAdvisory is said when tools come from MCP servers.
func (c *Catalog) mcpAdvisory() (cento.Text, error) { return c.render(mcpAdvisoryKey) }

// progressTool is the nudge to use the tool that keeps the plan.
func (c *Catalog) progressTool(name cento.Text) (cento.Text, error) {
	return c.render(progressToolKey, data("name", named(name)))
}

// loopContract says what ends a turn; blank in the built-in wording.
func (c *Catalog) loopContract() (cento.Text, error) { return c.render(loopContractKey) }

// toolContract says how to call tools in text, for models that have no other
// way to. Tools stand in the order given.
func (c *Catalog) toolContract(tools []cento.Tool) (cento.Text, error) {
	list := collection{name: "tools"}
	for _, t := range tools {
		schema, err := compactJSON(t.Parameters)
		if err != nil {
			return cento.Text{}, &cento.SourceError{
				Code: cento.InvalidTool, Position: t.Origin, Err: err,
				Message: "the parameters of tool " + quote(t.Name) + " are not JSON",
			}
		}
		of := func(s string) cento.Text { return cento.Text{Body: s, Trust: t.Trust} }
		list.add(
			field{"name", named(of(t.Name))},
			field{"description", sentence(of(strings.TrimSpace(t.Description)))},
			field{"parameters", of(schema)},
		)
	}
	return c.render(toolContractKey, list.value())
}

// skillCatalog lists skills, in the order given.
func (c *Catalog) skillCatalog(skills []cento.ListedSkill) (cento.Text, error) {
	list := collection{name: "skills"}
	for _, s := range skills {
		list.add(field{"name", named(s.Name)}, field{"path", reworded(s.Path, oneLine(s.Path.Body, maxPath))}, field{"description", sentence(s.Description)})
	}
	return c.render(skillCatalogKey, list.value())
}

// InstructionsCut is the notice at the place where an instruction file was cut.
// All sizes are bytes; the path is the one shown to people.
func (c *Catalog) InstructionsCut(path string, kept, bytes, limit int) (cento.Text, error) {
	return c.render(instructionsCutKey, pathText(path), number("kept", kept), number("bytes", bytes), number("limit", limit))
}

// InstructionsLeftOut is the notice in place of an instruction file.
func (c *Catalog) InstructionsLeftOut(path string, bytes, limit int) (cento.Text, error) {
	return c.render(instructionsLeftOutKey, pathText(path), number("bytes", bytes), number("limit", limit))
}

// pathText keeps a path on one line, since a notice is one: a file's name may
// hold anything.
func pathText(path string) value {
	return data("path", cento.Text{Body: printable(path), Trust: cento.TrustWorkspace})
}

// ProfileLanguage says that the project uses a language.
func (c *Catalog) ProfileLanguage(name cento.Text) (cento.Text, error) {
	return c.render(profileLanguageKey, data("name", named(name)))
}

// ProfileBuild names a build tool of the project.
func (c *Catalog) ProfileBuild(name cento.Text) (cento.Text, error) {
	return c.render(profileBuildKey, data("name", named(name)))
}

// ProjectTask is a task of a project, such as test or lint, with its command.
type ProjectTask struct {
	Name, Command cento.Text
	// Usual: the command is what a tool runs by convention, and nothing in the project
	// names it.
	Usual bool
	// Others: the project has build tools that may have commands of their own for the
	// task.
	Others bool
}

// ProfileTask tells the command of a task.
func (c *Catalog) ProfileTask(t ProjectTask) (cento.Text, error) {
	return c.render(profileTaskKey, data("name", named(t.Name)), data("command", sentence(t.Command)), yes("usual", t.Usual), yes("others", t.Others))
}

// ProfileGit lists the project's remotes, which must be free of credentials.
func (c *Catalog) ProfileGit(remotes []cento.Text) (cento.Text, error) {
	list := collection{name: "remotes"}
	for _, r := range remotes {
		list.addText(named(r))
	}
	return c.render(profileGitKey, list.value())
}

// DeniedHeading heads the list of places that are not accessible.
func (c *Catalog) DeniedHeading() (cento.Text, error) { return c.render(deniedHeadingKey) }

// environment says where the agent works and on which day, as far as the input
// knows it. It stands apart from the instruction, so that the beginning of a
// prompt stays the same from day to day and from folder to folder.
func (c *Catalog) environment() (cento.Text, error) { return c.render(environmentKey) }

// ProfileHeading heads what is known of the project; the headings have no marks.
func (c *Catalog) ProfileHeading() (cento.Text, error) { return c.render(profileHeadingKey) }

// ToolsHeading heads the guidance of tools.
func (c *Catalog) ToolsHeading() (cento.Text, error) { return c.render(toolsHeadingKey) }

// SkillsHeading heads skills, listed and active.
func (c *Catalog) SkillsHeading() (cento.Text, error) { return c.render(skillsHeadingKey) }

// ManifestHeading heads a manifest's fragments that have no section of their own
// and would stand under somebody else's heading.
func (c *Catalog) ManifestHeading() (cento.Text, error) { return c.render(manifestHeadingKey) }

// RemindersHeading heads the reminders that are placed in the system prompt.
func (c *Catalog) RemindersHeading() (cento.Text, error) { return c.render(remindersHeadingKey) }

// render prints the wording of a key with its variables. A protected section
// is checked once more: what it is about stands in it, unchanged.
func (c *Catalog) render(key Key, values ...value) (cento.Text, error) {
	s := c.snippets[key]
	text, err := s.render(c.base(), values)
	if err != nil {
		return cento.Text{}, err
	}
	text.Stability, _ = c.stability(key, nil)
	for _, v := range values {
		for _, t := range v.texts {
			text.Stability = max(text.Stability, t.Stability)
		}
	}
	for _, v := range values {
		if key != workingBoundariesKey && key != agentsMDKey || v.name == "files" {
			continue // a wording need not print it
		}
		if !strings.Contains(text.Body, strings.TrimSpace(v.texts[v.name].Body)) || strings.TrimSpace(text.Body) == "" {
			return cento.Text{}, atStage(CatalogFailed, s.leavesOut(string(key), v.name))
		}
	}
	return text, nil
}

// collection is a variable that holds a list whose texts know their places.
type collection struct {
	name  string
	items []jinja.Value
	texts map[string]cento.Text
}

// field is a member of a map in a list.
type field struct {
	name string
	text cento.Text
}

func (c *collection) add(fields ...field) {
	var b jinja.MapBuilder
	for _, f := range fields {
		b.Set(f.name, c.text("."+f.name, f.text))
	}
	c.items = append(c.items, b.Map())
}

func (c *collection) addText(t cento.Text) { c.items = append(c.items, c.text("", t)) }

func (c *collection) text(path string, t cento.Text) jinja.Value {
	if c.texts == nil {
		c.texts = map[string]cento.Text{}
	}
	c.texts[c.name+"["+strconv.Itoa(len(c.items))+"]"+path] = t
	return jinja.String(t.Body, leastTrusted(t))
}

func (c *collection) value() value { return value{c.name, jinja.List(c.items...), c.texts} }

// compactJSON is a schema on one line; empty for none.
func compactJSON(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var b bytes.Buffer
	err := json.Compact(&b, raw)
	return b.String(), err
}
