// Package layer lets teams, plugins, hosts and users change one prompt without
// copying it. It joins no text and decides no gate: that is the reducer's.
//
// A [Template] is a section plan: an ordered list of sections whose entries are
// texts, builtins and slots. A [Layer] may bring another template, patch the one
// in force, and add to, replace or clear slots. A stack of named layers is
// resolved low to high into one section plan and the contributions for its
// slots, and the result is compiled to fragments:
//
//	r, err := layer.Resolve(stack)
//	fragments := r.Compile(builtins)
//	prompt, err := cento.ReduceFragments(fragments, active, cento.Options{})
//
// No text is joined here. Headings, gates, joiners, spans and trace are those of
// the one reducer, so a section whose parts are all gated out has no heading.
//
// Nothing that a layer takes away is lost from view. What was cleared, replaced,
// removed, found twice or has no place in the section plan is compiled too, as
// an excluded fragment that names the layer or slot responsible; what is odd but
// harmless (a removal of nothing, a slot placed twice) is a note. What can't be
// meant (an unknown slot, builtin or anchor) is an error with its place and the
// nearest known name.
//
// Layers are read from YAML and JSON by [Read], strictly, and written by
// [Layer.AppendJSON] in one canonical form: reading and writing that form gives
// the same bytes.
//
// The package reads no file, keeps no state and depends on no map order. A
// [Resolution] is immutable; a [Layer] belongs to whoever changes it, and its
// With… methods copy.
package layer
