package jinja

// tok is the kind of a token.
type tok uint8

const (
	tokEOF      tok = iota
	tokText         // literal text, after white-space control
	tokVar          // {{
	tokBlock        // {%
	tokEndVar       // }}
	tokEndBlock     // %}
	tokName
	tokInt
	tokFloat
	tokString
	tokAdd
	tokSub
	tokMul
	tokDiv
	tokFloorDiv
	tokMod
	tokPow
	tokConcat
	tokPipe
	tokDot
	tokComma
	tokColon
	tokLParen
	tokRParen
	tokLBracket
	tokRBracket
	tokLBrace
	tokRBrace
	tokAssign
	tokEq
	tokNe
	tokLt
	tokLe
	tokGt
	tokGe
)

var tokNames = [...]string{
	tokEOF: "end of template", tokText: "text", tokVar: "'{{'", tokBlock: "'{%'", tokEndVar: "'}}'", tokEndBlock: "'%}'",
	tokName: "name", tokInt: "integer", tokFloat: "number", tokString: "string",
	tokAdd: "'+'", tokSub: "'-'", tokMul: "'*'", tokDiv: "'/'", tokFloorDiv: "'//'", tokMod: "'%'", tokPow: "'**'",
	tokConcat: "'~'", tokPipe: "'|'", tokDot: "'.'", tokComma: "','", tokColon: "':'",
	tokLParen: "'('", tokRParen: "')'", tokLBracket: "'['", tokRBracket: "']'", tokLBrace: "'{'", tokRBrace: "'}'",
	tokAssign: "'='", tokEq: "'=='", tokNe: "'!='", tokLt: "'<'", tokLe: "'<='", tokGt: "'>'", tokGe: "'>='",
}

// token is a stretch of the source. Tokens of text never overlap anything, so a
// text token is always a slice of the source.
type token struct {
	kind     tok
	pos, end uint32
}

// operators of two bytes come before those of one that begin them.
func operator(c, d byte) (tok, int) {
	switch c {
	case '+':
		return tokAdd, 1
	case '-':
		return tokSub, 1
	case '*':
		if d == '*' {
			return tokPow, 2
		}
		return tokMul, 1
	case '/':
		if d == '/' {
			return tokFloorDiv, 2
		}
		return tokDiv, 1
	case '%':
		return tokMod, 1
	case '~':
		return tokConcat, 1
	case '|':
		return tokPipe, 1
	case '.':
		return tokDot, 1
	case ',':
		return tokComma, 1
	case ':':
		return tokColon, 1
	case '(':
		return tokLParen, 1
	case ')':
		return tokRParen, 1
	case '[':
		return tokLBracket, 1
	case ']':
		return tokRBracket, 1
	case '{':
		return tokLBrace, 1
	case '}':
		return tokRBrace, 1
	case '=':
		if d == '=' {
			return tokEq, 2
		}
		return tokAssign, 1
	case '!':
		if d == '=' {
			return tokNe, 2
		}
	case '<':
		if d == '=' {
			return tokLe, 2
		}
		return tokLt, 1
	case '>':
		if d == '=' {
			return tokGe, 2
		}
		return tokGt, 1
	}
	return tokEOF, 0
}
