package page

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// Bar is a request in a row of them: a bar of what was read from the prompt cache,
// written to it and paid in full, and what there is to say.
type Bar struct {
	Name string
	// Told: it is known what becomes of the tokens. Else the bar has one part.
	Told                bool
	Read, Written, Paid int
	// About stands beside the bar; Lines below it, Culprit among them in another colour.
	About   string
	Lines   []string
	Culprit []string
	// Hint is what would have helped; "" for nothing.
	Hint string
}

//go:embed assets/requests.css
var requestsStyle string

// WriteRequests writes a row of requests as one page that needs nothing else. It
// returns the first error of w.
func WriteRequests(w io.Writer, p Page, about []string, bars []Bar) error {
	out := &writer{bufio.NewWriterSize(w, 64<<10)}
	sum := sha256.Sum256([]byte(requestsStyle))
	out.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"")
	out.label(strings.TrimSpace("cento " + p.Version))
	out.WriteString("\">\n<title>")
	title := strings.TrimSpace("Prompt cache of " + p.Project)
	if p.Project == "" {
		title = "Prompt cache"
	}
	out.label(title)
	out.WriteString("</title>\n<style>" + requestsStyle + "</style>\n</head>\n<body>\n<h1>")
	out.label(title)
	out.WriteString("</h1>\n")
	for _, line := range about {
		out.WriteString("<p>")
		out.label(line)
		out.WriteString("</p>\n")
	}
	out.WriteString("<p class=\"legend\"><span class=\"read\"></span> read <span class=\"written\"></span> written <span class=\"paid\"></span> paid in full</p>\n<ol>\n")
	most := 1
	for _, b := range bars {
		most = max(most, b.Read+b.Written+b.Paid)
	}
	for i := range bars {
		out.bar(&bars[i], most)
	}
	out.WriteString("</ol>\n</body>\n</html>\n")
	return out.Flush()
}

// bar writes one request. Lengths are attributes of a drawing, which no policy of
// styles concerns.
func (w *writer) bar(b *Bar, most int) {
	w.WriteString("<li>\n<h2>")
	w.label(b.Name)
	w.WriteString("</h2>\n<svg viewBox=\"0 0 1000 16\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
	parts := []struct {
		class string
		n     int
	}{{"read", b.Read}, {"written", b.Written}, {"paid", b.Paid}}
	if b.Told {
		w.label(fmt.Sprintf("%d read, %d written, %d paid in full", b.Read, b.Written, b.Paid))
	} else {
		w.label(fmt.Sprintf("%d tokens", b.Paid))
	}
	w.WriteString("\">")
	at := 0
	for _, p := range parts {
		from := at * 1000 / most
		if at += p.n; p.n > 0 {
			fmt.Fprintf(w, `<rect class="%s" x="%d" width="%d" height="16"/>`, p.class, from, max(at*1000/most-from, 1))
		}
	}
	w.WriteString("</svg>\n<p>")
	w.label(b.About)
	w.WriteString("</p>\n")
	w.list("about", b.Lines)
	w.list("culprit", b.Culprit)
	if b.Hint != "" {
		w.list("hint", []string{"hint: " + b.Hint})
	}
	w.WriteString("</li>\n")
}

// list writes lines; those that are indented are about the one before.
func (w *writer) list(class string, lines []string) {
	if len(lines) == 0 {
		return
	}
	w.WriteString(`<div class="` + class + "\">\n")
	for _, line := range lines {
		text := strings.TrimLeft(line, " ")
		if text != line {
			w.WriteString("<p class=\"below\">")
		} else {
			w.WriteString("<p>")
		}
		w.label(text)
		w.WriteString("</p>\n")
	}
	w.WriteString("</div>\n")
}
