package project

import (
	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/manifest"
)

// The codes of errors about a project as a whole. Errors of form have the codes
// `syntax`, `key.unknown`, `key.duplicate`, `key.missing`, `key.conflict`,
// `value.type` and `value.invalid`; docs/reference/codes.md lists all.
const (
	// NoManifest: something needs a manifest, and there is none.
	NoManifest cento.ErrorCode = "manifest.missing"
	// MisnamedManifest: there is no cento.yaml, and a file of nearly that name, such as
	// cento.yml, or one in .cento, which isn't read.
	MisnamedManifest cento.ErrorCode = "manifest.name"
	// MisnamedSettings: the same of config.yaml or prompts.yaml, such as config.yml.
	MisnamedSettings cento.ErrorCode = "settings.name"
	// UnknownTarget: no target has the name.
	UnknownTarget = manifest.UnknownTarget
	// UnknownLayer: no layer of the project has the name.
	UnknownLayer cento.ErrorCode = "layer.unknown"
	// UnknownSkill: a skill that is to be active was not found.
	UnknownSkill cento.ErrorCode = "skill.unknown"
	// PackElsewhere: adding a pack would write into a folder that isn't a copy
	// of the program's own making.
	PackElsewhere cento.ErrorCode = "pack.elsewhere"
	// StrayLock: a lock holds a pack that the manifest doesn't name.
	StrayLock cento.ErrorCode = "pack.stray"
	// ServerFailed: a server gave no listing, and none is kept from before.
	ServerFailed cento.ErrorCode = "server.failed"
	// ServerNotAsked: servers are not asked in this run, and no listing is kept.
	ServerNotAsked cento.ErrorCode = "server.not_asked"
)

// The codes of notes on a project.
const (
	// LayersUnused: layers change a section plan that isn't in the prompt.
	LayersUnused cento.Code = "layers.unused"
	// ExecutionUnused: there is an execution prompt, and no section plan in the
	// prompt to hold it.
	ExecutionUnused cento.Code = "execution_prompt.unused"
	// ToolUndefined: a target names a tool that nothing defines, though tools are
	// defined. It is active by its name alone, without guidance.
	ToolUndefined cento.Code = "tool.undefined"
	// ToolUnknown: a gate, a condition or a prompt file asks for a tool that nothing
	// defines, and that is near to one that something does. Any other may be a caller's.
	ToolUnknown cento.Code = "gate.unknown_tool"
	// CapUnknown: a gate, a condition or a prompt file asks for a capability that nothing
	// sets, and that is near to one that something may set. Any other may be a caller's.
	CapUnknown cento.Code = "gate.unknown_cap"
	// CapUndefined: the manifest sets a capability that nothing asks for, and that is near
	// to one that something asks for; or it takes one away that nothing sets, and that is
	// near to one that something does.
	CapUndefined cento.Code = "cap.undefined"
	// SkillUndefined: an excluded skill isn't there, and its name is near to one that is.
	// Any other may be a skill of another machine.
	SkillUndefined cento.Code = "skill.undefined"
	// CodeTextPath: a text is nothing but the path of a file that there is. It is sent
	// as it stands.
	CodeTextPath cento.Code = "text.path"
	// CodeTextComment: behind a text of the manifest there is a word with a # in front, as in
	// "Close issue #12", with which a comment begins: the text ends before it.
	CodeTextComment cento.Code = "text.comment"
	// ProfileContradicted: the instructions name another command for a task than the one
	// that a tool runs by convention, and the profile names none.
	ProfileContradicted cento.Code = "profile.contradicted"
	// VarUnread: a variable was set and nothing reads it.
	VarUnread cento.Code = "var.unread"
	// CodeServerKept: a server gave no listing, and the one that is kept from
	// before is used.
	CodeServerKept cento.Code = "server.kept"
	// CodeServerLeftOut: a server was left out, as the run asked for.
	CodeServerLeftOut cento.Code = "server.left_out"
	// CodeReplaced: Cento leaves out something of the manifest, since the caller gives
	// something else instead.
	CodeReplaced cento.Code = "request.replaced"
	// CodeServerEmpty: a server has no tools.
	CodeServerEmpty cento.Code = "server.empty"
	// CodeSecret: a text holds what looks like a credential. The note tells the
	// rule and the place, never the value.
	CodeSecret cento.Code = "secret"
)
