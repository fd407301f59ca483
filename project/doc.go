// Package project reads what a project says about its prompt: the manifest
// cento.yaml, everything that it names, and requests that carry the same things
// by value.
//
// The usual path is [ParseManifest], and [Manifest.Target] for one of the named
// variations. Both are pure: they read no file, and references to files stay
// references that know where they stand. [ReadTools], [ReadFragments],
// [ParseReduce] and [ParseScope] read tool definitions and requests by the same
// rules, so that a file and a request that say the same mean the same.
//
// Nothing is silent. A key that isn't known is refused with the nearest one
// that is, a key of the format that this version doesn't support is refused as
// that, repeated keys and values of another kind are refused, and everything
// that is wrong in one file is told at once, each with its line and column.
// What holds where a manifest says nothing is in [Defaults].
//
// A manifest is a file of the project and thus of strangers: its texts have the
// trust of the workspace, and it may lower limits and tighten policies but
// never loosen them.
package project
