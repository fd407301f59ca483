package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cento-dev/cento"
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
	// ShowDenied lists the deny rules in the summary too.
	ShowDenied bool `json:"show_denied,omitempty"`
	// Wording of the summary; the zero value is the built-in one.
	Wording ScopeWording `json:"-"`
}

// ScopeRule is one rule as people write it.
type ScopeRule struct {
	// Target is a path, absolute or relative to the base. It need not exist.
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
	// Position and Trust are those of the file that declares the rule.
	Position cento.Position `json:"-"`
	Trust    cento.Trust    `json:"-"`
}

// ScopeSource is the scope that one layer declares.
type ScopeSource struct {
	// Layer names it in errors.
	Layer string
	// MayAllow: the layer may give permissions. One that may not can still deny.
	MayAllow bool
	// Base is the folder that its relative targets start from.
	Base  string
	Trust cento.Trust
	ScopeConfig
}

// JoinScope accumulates the rules of all layers, in the order given. An allow
// rule of a layer that may only deny is the error [ForeignAllow].
func JoinScope(sources ...ScopeSource) (ScopeConfig, error) {
	var out ScopeConfig
	var errs []*cento.SourceError
	for _, s := range sources {
		from := func(r ScopeRule) ScopeRule {
			if r.Base == "" {
				r.Base = s.Base
			}
			r.Trust = s.Trust
			return r
		}
		for _, r := range s.Allow {
			if !s.MayAllow {
				errs = append(errs, &cento.SourceError{
					Code: ForeignAllow, Position: r.Position,
					Message: fmt.Sprintf("layer %q may not allow %q", s.Layer, r.Target),
					Hint:    "permissions are given by the manifest, the user's configuration and the host; every layer may deny",
				})
			}
			out.Allow = append(out.Allow, from(r))
		}
		for _, r := range s.Deny {
			out.Deny = append(out.Deny, from(r))
		}
		out.ShowDenied = out.ShowDenied || s.ShowDenied
	}
	if err := cento.Join(errs); err != nil {
		return ScopeConfig{}, err
	}
	return out, nil
}

// Rule is one rule of a scope that was resolved.
type Rule struct {
	Effect     Effect         `json:"effect"`
	Target     string         `json:"target"` // canonical
	Permission Permission     `json:"permission"`
	Recursive  bool           `json:"recursive"`
	Position   cento.Position `json:"position,omitzero"`

	trust cento.Trust
}

// Scope is what may be read and written. It never changes.
type Scope struct {
	base       string
	allow      []Rule
	deny       []Rule
	showDenied bool
	wording    ScopeWording
	notes      []cento.Note
}

// ResolveScope makes every target canonical, by looking at the disk. base is
// the absolute folder that relative targets start from; it may be empty when
// there are none. Errors, all of them together: [NoAllow], [InvalidTarget],
// [InvalidPermission].
func ResolveScope(cfg ScopeConfig, base string) (*Scope, error) {
	s := &Scope{base: base, showDenied: cfg.ShowDenied, wording: cfg.Wording}
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
	p := r.Target
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
	target, err := canonical(absolute(p))
	note := func(code cento.Code, format string, args ...any) {
		s.notes = append(s.notes, cento.Note{Code: code, Message: fmt.Sprintf(format, args...), Position: r.Position})
	}
	if err != nil {
		target = textForm(absolute(p))
		note(UnreadableTarget, "links in target %q are not resolved: %v", target, cause(err))
	}
	// Checked after links are resolved: a line end in the name of a folder that
	// a link leads to could imitate a heading just as well.
	if !utf8.ValidString(target) {
		return bad("target %q is not valid UTF-8", target)
	}
	if strings.IndexFunc(target, breaksLine) >= 0 {
		return bad("target %q holds a control character", target)
	}
	if r.Target == "~" || strings.HasPrefix(r.Target, "~/") {
		note(LiteralTilde, "target %q means %q: ~ is not the home folder here", r.Target, target)
	}
	return Rule{
		Effect: effect, Target: target, Permission: r.Permission,
		Recursive: r.Recursive == nil || *r.Recursive, Position: r.Position, trust: r.Trust,
	}, nil
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
	at, err := canonical(p)
	permission, rules := s.decide(at)
	if err != nil {
		if byText, r := s.decide(textForm(p)); byText < permission {
			return byText, r
		}
	}
	return permission, rules
}

// decide judges a canonical path.
func (s *Scope) decide(at string) (Permission, []Rule) {
	given, taken := None, Write+1
	for i := range s.allow {
		if r := &s.allow[i]; r.Permission > given && r.covers(at, foldAllow) {
			given = r.Permission
		}
	}
	for i := range s.deny {
		if r := &s.deny[i]; r.Permission < taken && r.covers(at, foldDeny) {
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
		if r.Permission == taken && taken <= given && r.covers(at, foldDeny) {
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

// covers reports whether the rule is about a canonical path.
func (r *Rule) covers(at string, fold bool) bool {
	target := r.Target
	if fold {
		target, at = strings.ToLower(target), strings.ToLower(at)
	}
	name, ok := below(target, at)
	return ok && (r.Recursive || !strings.Contains(name, "/"))
}
