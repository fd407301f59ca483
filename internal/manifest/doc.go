// Package manifest is the format of cento.yaml and of the user's config.yaml: it reads
// them, says everything that is wrong with them, and publishes their schema. It opens
// none of the files that they name.
//
// The usual path is [Parse], and [Manifest.Target] for one of the named
// variations. Both are pure: they read no file, and references to files stay
// references that know where they stand. [ReadTools] reads
// tool definitions by the same rules wherever they come from, so that a file and
// a request that say the same mean the same.
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
package manifest
