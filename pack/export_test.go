package pack

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/jinja"
)

// Example is a value of the type.
func (t VarType) Example() jinja.Value {
	var m jinja.MapBuilder
	return [...]jinja.Value{
		jinja.None(), jinja.String("", 0), jinja.Int(1), jinja.Float(1), jinja.Bool(true), jinja.List(), m.Map(),
	}[t]
}

// WordingTexts gives the texts of a file of wording by key.
func WordingTexts(w *Wording) map[string]cento.Text {
	out := map[string]cento.Text{}
	for _, t := range w.texts {
		out[t.key] = cento.Text{Body: t.text, Runs: t.runs}
	}
	return out
}

// What the tests of this package use and no host does.

type ConditionVars = conditionVars

var (
	NewConditions = newConditions
	Keys          = keys
	Label         = label
	TrustOf       = trustOf
)

func (l *Loader) Load(ref Ref, at cento.Position) (*Source, error) { return l.load(ref, at) }

func (c *Catalog) MCPAdvisory() (cento.Text, error) { return c.mcpAdvisory() }

func (c *Catalog) ProgressTool(name cento.Text) (cento.Text, error) { return c.progressTool(name) }

func (c *Catalog) Environment() (cento.Text, error) { return c.environment() }

func (c *Catalog) LoopContract() (cento.Text, error) { return c.loopContract() }

func (c *Catalog) ToolContract(tools []cento.Tool) (cento.Text, error) { return c.toolContract(tools) }

func (c *Catalog) SkillCatalog(skills []cento.ListedSkill) (cento.Text, error) {
	return c.skillCatalog(skills)
}

const (
	WorkingBoundariesSection = workingBoundariesKey
	AgentsMDSection          = agentsMDKey
	MainAgentIntro           = mainAgentIntroKey
	CoreGuidance             = coreGuidanceKey
	MCPAdvisory              = mcpAdvisoryKey
	ProgressTool             = progressToolKey
	LoopContract             = loopContractKey
	ToolContract             = toolContractKey
	SkillCatalog             = skillCatalogKey
	InstructionsCut          = instructionsCutKey
	InstructionsLeftOut      = instructionsLeftOutKey
	ProfileLanguage          = profileLanguageKey
	ProfileBuild             = profileBuildKey
	ProfileTask              = profileTaskKey
	ProfileGit               = profileGitKey
	DeniedHeading            = deniedHeadingKey
)

// DefaultTrust is that of files where no host says another.
func (p Prefix) DefaultTrust() cento.Trust { return p.trust() }
