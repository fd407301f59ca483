// Package terminal writes what the program says to people: on a screen, into a file,
// into a pipe. It doesn't choose what is said.
//
// A screen acts on characters: it moves its cursor, sets its title, writes the
// clipboard, turns the direction of writing. Texts and names that the program
// prints were written by others, so a [Writer] prints no character of a value that
// a screen would act on, or that nobody could see. The words of the program itself
// are constants, which the type of every format demands; what stands between them
// is a value, and a value is written out. Colours are the program's own and can't
// be spelled by a value. Nothing of this is left to who calls.
//
// A text that somebody asked for byte for byte, such as the prompt, is written out
// on a screen alone, and not even there when they ask for it raw.
package terminal
