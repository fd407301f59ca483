package tests

import (
	"strings"

	"github.com/cento-dev/cento"
)

// listsOfTargets are the lists whose items have a definition of their own in the schema of
// a target, by its name behind target_.
var listsOfTargets = map[string]string{
	"finding": "ignore[]", "layer": "layers[]", "model": "models[]", "pack": "packs[]", "rule": "scope.allow[]", "tool": "tools[]",
}

// changeRow shows that what changes a list of the manifest in a target does something.
type changeRow struct {
	path       string
	base, over string
	code       cento.ErrorCode
}

const (
	gatedCaps  = "fragments: [{id: a, body: Alpha., requires_caps: [x]}, {id: b, body: Beta., requires_caps: [y]}]"
	gammaLayer = "{name: own, layer: {slots: {intro: {contributions: [{content: Ho.}]}}}}"
	anIgnore   = "scope: off, ignore: [{code: scope.none, reason: wanted}]"
)

var changeRows = []changeRow{
	{"target_change_capability.add", "caps: [x], " + gatedCaps, "caps: {add: [y]}", ""},
	{"target_change_capability.remove", "caps: [x], " + gatedCaps, "caps: {remove: [x]}", ""},
	{"target_change_capability_set.add", "profile: {caps: [x]}, " + gatedCaps, "profile: {caps: {add: [y]}}", ""},
	{"target_change_capability_set.remove", "profile: {caps: [x]}, " + gatedCaps, "profile: {caps: {remove: [x]}}", ""},
	{"target_change_finding.add", "scope: off", "ignore: {add: [{code: scope.none, reason: wanted}]}", ""},
	{"target_change_finding.remove", anIgnore, "ignore: {remove: [scope.none]}", ""},
	{"target_change_fragment.add", aFragment, "fragments: {add: [{id: b, body: Gamma.}]}", ""},
	{"target_change_fragment.remove", aFragment, "fragments: {remove: [a]}", ""},
	{"target_change_layer.add", aLayer, "layers: {add: [" + gammaLayer + "]}", ""},
	{"target_change_layer.remove", aLayer, "layers: {remove: [team]}", ""},
	{"target_change_marker.add", "project: {markers: [.hg]}", "project: {markers: {add: [marker]}}", ""},
	{"target_change_marker.remove", "project: {markers: [.git, marker]}", "project: {markers: {remove: [marker]}}", ""},
	{"target_change_model.add", "models: [{id: tide, context: 9}]", "models: {add: [{id: ebb, context: 9}]}", ""},
	{"target_change_model.remove", "models: [{id: tide, context: 9}]", "models: {remove: [tide]}", ""},
	{"target_change_pack.add", "", "packs: {add: [{name: house}]}", "pack.unlocked"},
	{"target_change_pack.remove", "packs: [{name: house}]", "packs: {remove: [house]}", ""},
	{"target_change_part.add", "host: {system_prefix: [X.]}", "host: {system_prefix: {add: [Y.]}}", ""},
	{"target_change_part.remove", "host: {system_prefix: [X., {id: y, content: Y.}]}", "host: {system_prefix: {remove: [y]}}", ""},
	{"target_change_provider.add", "", "reminders: {providers: {add: [-idle_nudge]}}", ""},
	{"target_change_provider.remove", "reminders: {providers: [-idle_nudge]}", "reminders: {providers: {remove: [-idle_nudge]}}", ""},
	{"target_change_rule.add", scoped("deny: [{target: sub, permission: read}]"), "scope: {deny: {add: [{target: more.md, permission: read}]}}", ""},
	{"target_change_rule.remove", scoped("deny: [{target: sub, permission: read}]"), "scope: {deny: {remove: [sub]}}", ""},
	{"target_change_skill.add", "skills: {active: [tides]}", "skills: {active: {add: [charts]}}", ""},
	{"target_change_skill.remove", "skills: {active: [tides]}", "skills: {active: {remove: [tides]}}", ""},
	{"target_change_tool.add", "tools: tools.json", "tools: {add: [{name: read, guidance: Read.}]}", ""},
	{"target_change_tool.remove", "tools: tools.json", "tools: {remove: [grep]}", ""},
}

// changeRowOf is the row of a key that changes a list; for a key of an item of a list of
// targets it is that of the manifest's list, which stands there too.
func changeRowOf(path string, rows map[string]keyRow) (base, over string, code cento.ErrorCode, ok bool) {
	for _, row := range changeRows {
		if row.path == path {
			return row.base, row.over, row.code, true
		}
	}
	of, key, _ := strings.Cut(strings.TrimPrefix(path, "target_"), ".")
	row, ok := rows[listsOfTargets[of]+"."+key]
	return row.base, row.changed, row.code, ok
}
