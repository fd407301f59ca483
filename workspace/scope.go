package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/disk"
)

// The codes of notes on a scope.
const (
	// UnreadableTarget: a target couldn't be looked at, so links in it are not
	// resolved.
	UnreadableTarget cento.Code = "scope.unreadable"
	// LiteralTilde: a target begins with `~`, which names a folder here.
	LiteralTilde cento.Code = "scope.tilde"
)

// ScopeConfig is a scope as people write it.
type ScopeConfig struct {
	Allow []ScopeRule `json:"allow"`
	Deny  []ScopeRule `json:"deny,omitempty"`
	// ShowDenied: the summary tells what deny rules make of allowed paths, without
	// which it names paths as writable or readable that are not. Nil is true, but
	// in a [ScopeRequest].
	ShowDenied *bool `json:"show_denied,omitempty"`
	// Wording of the summary; the zero value is the built-in one.
	Wording ScopeWording `json:"-"`
	// Disk is where targets are looked for; the zero value is the machine's.
	Disk disk.Disk `json:"-"`
	// Elsewhere: the paths are those of another machine, so nothing of this one's disk
	// is looked at, and no link is resolved.
	Elsewhere bool `json:"-"`
	// Home is the folder that patterns with a leading `~/` start from; empty when it isn't
	// known.
	Home string `json:"-"`
}

// ScopeRule is one rule as people write it.
type ScopeRule struct {
	// Target is a path, absolute or relative to the base. It need not exist. In a deny
	// rule, a target with an unescaped `*`, `?` or `[` is a pattern. A pattern without `/`
	// matches at any depth below the base; one that starts with `/` or `~/` is absolute.
	// `**` matches any number of folders, or none, and `\` escapes the next character.
	// See [EscapeTarget].
	Target string `json:"target"`
	// Permission is what an allow rule gives, and what a deny rule takes away
	// together with all above it.
	Permission Permission `json:"permission"`
	// Recursive: all below the target is meant too, else only its direct
	// children. Nil is true.
	Recursive *bool `json:"recursive,omitempty"`

	// Base is the folder of the file that declares the rule; empty: that of the
	// whole configuration.
	Base string `json:"-"`
	// Position and Trust are those of the file that declares the rule, and MadeBy is who
	// made it, where [cento.MakerOf] wouldn't say so.
	Position cento.Position `json:"-"`
	Trust    cento.Trust    `json:"-"`
	MadeBy   cento.Maker    `json:"-"`
}

// Rule is one rule of a scope that was resolved.
type Rule struct {
	Effect     Effect         `json:"effect"`
	Target     string         `json:"target"` // canonical; an absolute pattern if Pattern
	Pattern    bool           `json:"pattern,omitempty"`
	Permission Permission     `json:"permission"`
	Recursive  bool           `json:"recursive"`
	Position   cento.Position `json:"position,omitzero"`

	trust  cento.Trust
	madeBy cento.Maker
	given  string   // the target as it was written
	static string   // the part of given before the first name with a wildcard
	base   string   // of a pattern: the canonical folder before the first wildcard
	names  []string // of a pattern: its names below the base
}

// Scope is what may be read and written. It never changes.
type Scope struct {
	disk       disk.Disk
	base       string
	home       string
	allow      []Rule
	deny       []Rule
	hideDenied bool
	elsewhere  bool
	wording    ScopeWording
	notes      []cento.Note
}

// ResolveScope makes every target canonical, by looking at the disk unless the paths
// are those of another machine. base is
// the absolute folder that relative targets start from; it may be empty when
// there are none. Errors, all of them together: [NoAllow], [InvalidTarget],
// [InvalidPattern], [InvalidPermission].
func ResolveScope(cfg ScopeConfig, base string) (*Scope, error) {
	s := &Scope{disk: cfg.Disk, base: base, hideDenied: cfg.ShowDenied != nil && !*cfg.ShowDenied, elsewhere: cfg.Elsewhere, home: cfg.Home, wording: cfg.Wording}
	var errs []*cento.SourceError
	for _, part := range []struct {
		effect Effect
		from   []ScopeRule
		to     *[]Rule
	}{{Allow, cfg.Allow, &s.allow}, {Deny, cfg.Deny, &s.deny}} {
		for _, r := range part.from {
			rule, err := s.resolve(part.effect, r)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			*part.to = append(*part.to, rule)
		}
	}
	if len(cfg.Allow) == 0 {
		e := &cento.SourceError{
			Code: NoAllow, Message: "the scope has no allow rule",
			Hint: "without one nothing may be read; add allow: [{target: ., permission: read}]",
		}
		if len(cfg.Deny) > 0 {
			e.Position = cfg.Deny[0].Position
		}
		errs = append(errs, e)
	}
	patterns := 0
	for _, r := range s.deny {
		if r.Pattern {
			patterns++
		}
		if patterns*len(s.allow) > maxMeetings {
			errs = append(errs, &cento.SourceError{
				Code: InvalidPattern, Position: r.Position,
				Message: fmt.Sprintf("%d patterns with %d allow rules are too many: the product is over %d", patterns, len(s.allow), maxMeetings),
			})
			break
		}
	}
	if err := cento.Join(errs); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Scope) resolve(effect Effect, r ScopeRule) (Rule, *cento.SourceError) {
	bad := func(format string, args ...any) (Rule, *cento.SourceError) {
		return Rule{}, &cento.SourceError{Code: InvalidTarget, Message: fmt.Sprintf(format, args...), Position: r.Position}
	}
	if r.Permission != Read && r.Permission != Write {
		return Rule{}, &cento.SourceError{
			Code: InvalidPermission, Position: r.Position,
			Message: fmt.Sprintf("%s rule for %q has permission %s, not read or write", effect, r.Target, r.Permission),
			Hint:    "to take all access away, deny read",
		}
	}
	if strings.TrimSpace(r.Target) == "" {
		return bad("%s rule has a blank target", effect)
	}
	const rename = "rename the folder, name another one in the rule, or leave the boundaries out with scope: off"
	if strings.IndexFunc(r.Target, breaksLine) >= 0 {
		rule, e := bad("target %q holds a control character", r.Target)
		e.Hint = rename
		return rule, e
	}
	parsed, err := parseTarget(r.Target)
	pattern := parsed.rest != ""
	if pattern && effect == Allow {
		err = errors.New("an allow rule takes a path, and this target is a pattern")
	}
	if err != nil {
		e := &cento.SourceError{Code: InvalidPattern, Message: fmt.Sprintf("%s rule for %q: %v", effect, r.Target, err), Position: r.Position}
		if effect == Allow {
			e.Hint = "write `" + cmp.Or(strings.TrimRight(parsed.static, "/"), parsed.static, ".") + "`"
		}
		return Rule{}, e
	}
	p := parsed.folder
	if pattern && strings.HasPrefix(r.Target, "~/") {
		if !rooted(s.home) {
			return bad("target %q starts in the home folder, which isn't known here", r.Target)
		}
		p = s.home + "/" + strings.TrimPrefix(p, "~")
	}
	if !rooted(p) {
		base := r.Base
		if base == "" {
			base = s.base
		}
		if !rooted(base) {
			return bad("target %q is relative and base %q is not absolute", r.Target, base)
		}
		p = base + "/" + p
	}
	target, err := s.canonical(absolute(p), func(string) {})
	note := func(code cento.Code, format string, args ...any) {
		s.notes = append(s.notes, cento.Note{Code: code, Message: fmt.Sprintf(format, args...), Position: r.Position})
	}
	if err != nil {
		target = textForm(absolute(p))
		note(UnreadableTarget, "links in target %q are not resolved: %v", target, cause(err))
	}
	// Checked after links are resolved: a line end in the name of a folder that
	// a link leads to could imitate a heading just as well.
	if !utf8.ValidString(target) || !utf8.ValidString(r.Target) {
		r, e := bad("target %q is not valid UTF-8", target)
		e.Hint = rename
		return r, e
	}
	if strings.IndexFunc(target, breaksLine) >= 0 {
		r, e := bad("target %q holds a control character", target)
		e.Hint = rename
		return r, e
	}
	if r.Target == "~" || strings.HasPrefix(r.Target, "~/") && !pattern {
		note(LiteralTilde, "target %q means %q: ~ is not the home folder here", r.Target, target)
	}
	rule := Rule{
		Effect: effect, Target: target, Permission: r.Permission,
		Recursive: r.Recursive == nil || *r.Recursive, Position: r.Position, trust: r.Trust, madeBy: r.MadeBy, given: r.Target, static: r.Target,
	}
	if pattern {
		rule.Pattern, rule.base, rule.names, rule.static = true, target, parsed.names, strings.TrimRight(parsed.static, "/")
		rule.Target = rule.area().asTarget().target
	}
	return rule, nil
}

// absolute adds the drive that a rooted path of Windows may leave out. Nothing
// is cleaned elsewhere: `link/..` is the folder above the one linked to.
func absolute(p string) string {
	if !filepath.IsAbs(p) {
		if abs, err := filepath.Abs(p); err == nil {
			return abs
		}
	}
	return p
}

// cause is an error without the path that the message already names.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// ScopeOf is a scope of rules that were resolved before, as [Scope.Rules] gives them:
// it permits what that one does. Nothing is looked at on the disk. Paths that it is
// asked for have to be absolute. The errors are [NoAllow], [InvalidTarget],
// [InvalidPattern] and [InvalidPermission].
func ScopeOf(rules []Rule) (*Scope, error) {
	s := &Scope{}
	var errs []*cento.SourceError
	for _, r := range rules {
		if r.Pattern {
			t, err := parseTarget(r.Target)
			if err != nil || t.rest == "" || r.Effect == Allow {
				errs = append(errs, &cento.SourceError{Code: InvalidPattern, Message: fmt.Sprintf("the %s rule for %q has no valid pattern", r.Effect, r.Target), Position: r.Position})
				continue
			}
			r.base, r.names = textForm(t.folder), t.names
		}
		switch {
		case !rooted(r.Target) || !utf8.ValidString(r.Target) || strings.IndexFunc(r.Target, breaksLine) >= 0:
			errs = append(errs, &cento.SourceError{Code: InvalidTarget, Message: fmt.Sprintf("the target %q was never resolved", r.Target), Position: r.Position})
		case r.Permission != Read && r.Permission != Write:
			errs = append(errs, &cento.SourceError{Code: InvalidPermission, Message: fmt.Sprintf("the rule for %q has permission %s, not read or write", r.Target, r.Permission), Position: r.Position})
		case r.Effect == Allow:
			s.allow = append(s.allow, r)
		default:
			s.deny = append(s.deny, r)
		}
	}
	if len(s.allow) == 0 {
		errs = append(errs, &cento.SourceError{Code: NoAllow, Message: "the scope has no allow rule"})
	}
	if err := cento.Join(errs); err != nil {
		return nil, err
	}
	return s, nil
}

// Notes tells what was found while targets were resolved, in the order of the
// rules, allow before deny.
func (s *Scope) Notes() []cento.Note { return slices.Clone(s.notes) }

// Rules lists all rules in declaration order, allow before deny.
func (s *Scope) Rules() []Rule { return slices.Concat(s.allow, s.deny) }

// Permission says what may be done at a path, and the rules that decide so: the
// allow rules that give the most, and the deny rules that cut it down. Relative
// paths start from the base of [ResolveScope]; links are resolved, and the path
// need not exist. The highest matching allow rule counts, capped strictly below
// the lowest matching deny rule, however specific either is. No rule matches:
// [None]. A path that can't be looked at gets the lower of what its text says
// and what it leads to as far as that is known.
func (s *Scope) Permission(p string) (Permission, []Rule) {
	if !rooted(p) {
		p = s.base + "/" + p
	}
	p = absolute(p)
	names := []string{textForm(p)} // the path as written, and after each link on its way
	at, err := s.canonical(p, func(path string) { names = append(names, path) })
	permission, rules := s.decide(at, names)
	if err != nil {
		if byText, r := s.decide(textForm(p), nil); byText < permission {
			return byText, r
		}
	}
	return permission, rules
}

// canonical is [canonical] for a place of this machine, and for another's what its
// text says.
func (s *Scope) canonical(p string, via func(path string)) (string, error) {
	if s.elsewhere {
		return textForm(p), nil
	}
	return resolve(s.disk, p, via)
}

// decide judges a canonical path. Patterns match its other names as well.
func (s *Scope) decide(at string, names []string) (Permission, []Rule) {
	denies := func(r *Rule) bool {
		return r.covers(at, foldDeny) || r.Pattern && slices.ContainsFunc(names, r.matches)
	}
	given, taken := None, Write+1
	for i := range s.allow {
		if r := &s.allow[i]; r.Permission > given && r.covers(at, foldAllow) {
			given = r.Permission
		}
	}
	for i := range s.deny {
		if r := &s.deny[i]; r.Permission < taken && denies(r) {
			taken = r.Permission
		}
	}
	deciding := []Rule{}
	for _, r := range s.allow {
		if given > None && r.Permission == given && r.covers(at, foldAllow) {
			deciding = append(deciding, r)
		}
	}
	for _, r := range s.deny {
		if r.Permission == taken && taken <= given && denies(&r) {
			deciding = append(deciding, r)
		}
	}
	return min(given, taken-1), deciding
}

// On disks that ignore letter case a rule must not be evaded by another
// spelling. Where only most disks are like that, a deny rule reaches too far
// rather than too little, and an allow rule the other way round.
const (
	foldAllow = runtime.GOOS == "windows"
	foldDeny  = runtime.GOOS == "windows" || runtime.GOOS == "darwin"
)
