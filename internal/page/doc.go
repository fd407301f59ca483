// Package page writes an explained prompt as one HTML page: the text with every stretch
// coloured by who contributed it, and beside it every fragment that was considered, in
// or out, with its reason. The page needs nothing from the network.
//
// The usual path is one call, [Write]. The page stands alone: it asks for
// nothing over the network, works from a disk, a mail or a build's artefacts,
// and its content security policy lets it run its own script and style (by
// hash) and nothing else.
//
// The prompt, the reasons and the texts that are out are in the page's markup,
// escaped by the one function that text passes on its way in, so that all of it
// can be read, searched and printed where scripts don't run. The script adds
// what needs one: details under the pointer, the filter, the keyboard. It takes
// its facts from the explanation, embedded as the same JSON that the command
// line prints, and puts text into the page as text, never as markup.
//
// Guarantees: the text content of the element of class "prompt" is the prompt
// byte for byte (a NUL, which no markup can hold, is put back by the script);
// characters that can't be seen are marked; the same input gives the same
// bytes. The package reads no clock, file or environment.
package page
