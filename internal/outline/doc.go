// Package outline knows a manifest, a file of tests and front matter as somebody types
// them: which keys and values may stand at a place by the format's schema, and where
// names of tools, capabilities, fragments, variables, targets and prompt files stand.
// It reads no file.
//
// The usual path for a text that is being written is [At] for what is typed at a byte,
// and [Schema.Keys] or [Schema.Values] for what may be. For one that can be read it is
// [Names]. The text needn't be whole: what stands behind the line of the cursor may be
// broken.
//
// Everything is a function of texts: no file is read, and what isn't YAML as
// internal/strict reads it has no names.
package outline
