// Package amend changes texts that people wrote, by as little as can be: an [Edit] is a
// stretch of bytes and what stands there instead. Comments and layout stay. It writes
// no file, and what is to be changed is the caller's to say.
//
// The usual path is [Read], which reads a YAML or JSON file or the front matter of a
// prompt file, and [Document.Edits], which says how a [Change] of its values is
// written: a member or an item taken out, a key spelt otherwise, a name put into a
// list. [Apply] puts edits into a text.
//
// What edits come to is read again before they are handed out, and has to be the
// values that stood there with that one change. Where the writing is such that it
// can't be, or a comment would go with what is taken out, there are no edits: that is
// the error [ErrByHand].
package amend
