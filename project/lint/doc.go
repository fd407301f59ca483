// Package lint finds what is doubtful about a project's prompt: words about tools
// that aren't there, gates that never open, files that nothing includes. It changes
// nothing and doesn't guess: what can only be known while rendering is left out.
//
//	site, err := project.Locate(project.Request{Dir: dir})
//	report, err := lint.Run(ctx, site, project.Request{Dir: dir}, lint.Options{})
//	for _, f := range report.Findings {
//		fmt.Println(f.Position, f.Severity, f.Message)
//	}
//
// The usual path: [Run] reads a project with all its targets, and asks every check
// of [Checks], or those that it is given. A check is a value with its code, its
// severity and what it is about in words. Prompts are looked at one after the
// other and let go, so that a manifest of a thousand targets fits.
//
// A finding is data: code, severity, place, message and hint. Codes are API.
// Findings are ordered by place and said once, whatever number of targets they
// hold for; those that the manifest accepts under `ignore` keep the reason. Of one
// code 100 are listed, and how many more there are.
package lint
