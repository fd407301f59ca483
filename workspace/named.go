package workspace

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// FindNamed lists the files that the instructions name as `@path` where the rules put
// none in, each once, those that such a file names in turn among them: what would be
// in the prompt if imports were on. None where they are. The errors are those of
// [LoadInstructions].
func FindNamed(cfg InstructionsConfig) ([]File, error) {
	name := cmp.Or(cfg.Convention, DefaultConvention)
	if err := CheckConvention(name); err != nil {
		return nil, err
	}
	p := findConvention(name)
	why := importsOff(p, cfg.Imports)
	if why == "" {
		return nil, nil
	}
	asked := *p
	asked.imports, cfg.Imports = importsAsked, true
	cfg.Limit, cfg.FileLimit, cfg.For, cfg.Below = math.MaxInt, 0, nil, nil
	in, err := load(cfg, &asked)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, f := range in.Files {
		if !f.Imported {
			continue
		}
		f.Status, f.Code = Ignored, string(InstructionsImportsOff)
		if at, ok := strings.CutPrefix(f.Reason, importedAt); ok {
			f.Reason = "named at " + at + "; " + why
		} else { // what names it would not be there either
			f.Reason = "named by a file that adds nothing; " + why
		}
		out = append(out, f)
	}
	return out, nil
}

// importsOff says why a text's `@path` puts nothing in; empty where it does.
func importsOff(c *convention, asked bool) string {
	switch {
	case c.imports == importsNone:
		return fmt.Sprintf("the rules of %q have no imports", c.id())
	case c.imports == importsAsked && !asked:
		return "imports are off; project.imports: true turns them on"
	}
	return ""
}
