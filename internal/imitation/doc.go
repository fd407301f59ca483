// Package imitation tells what a reader may take the lines of a text for: for a
// heading, for a heading that somebody else keeps for himself, or for the frame of a
// reminder. It changes nothing and judges nobody: whose line it is, and what becomes of
// it, is the caller's affair.
//
// The usual path: [Lines] walks the lines, with everything that a reader may take for the
// end of one; [Headings] are those that are kept, in the form that [Skeleton] gives;
// [Headings.Equal], [Headings.Near] and [Framed] ask about one line. [PlainEqual] and its
// kin answer for lines of which it is known that they are plain ASCII. [BreaksIn] finds where
// a value would begin a line of its author's.
//
// What stays unseen are letters of another script that look alike, which
// Unicode's normal forms don't tell, and a heading that runs over two lines.
package imitation
