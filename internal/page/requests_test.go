package page

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// TestRequestsPage: whatever names and lines say, the page shows them as text and has
// no element, attribute or rule of theirs.
func TestRequestsPage(t *testing.T) {
	const bad = `</p><script>alert(1)</script><img src=x onerror="y"> "quoted" & ` + "\x1b[2J\u202e"
	var b strings.Builder
	bars := []Bar{
		{Name: bad, Told: true, Read: 10, Written: 30, Paid: 60, About: bad, Lines: []string{bad, "    " + bad}, Culprit: []string{bad}, Hint: bad},
		{Name: "plain", Paid: 50, About: "50 tokens"},
	}
	if err := WriteRequests(&b, Page{Project: bad, Version: bad}, []string{bad}, bars); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	var widths []string
	var text strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			elements[n.Data]++
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" || a.Key == "style" {
					t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
				}
				if n.Data == "rect" && a.Key == "width" {
					widths = append(widths, a.Val)
				}
			}
		}
		if n.Type == html.TextNode && n.Parent.Data != "style" {
			text.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	if elements["script"]+elements["img"]+elements["link"] > 0 || elements["li"] != 2 || elements["svg"] != 2 {
		t.Errorf("elements: %v", elements)
	}
	if got := strings.Join(widths, " "); got != "100 300 600 500" {
		t.Errorf("the bars are %s long", got)
	}
	if n := strings.Count(text.String(), "<script>alert(1)</script>"); n != 9 {
		t.Errorf("the text stands %d times:\n%s", n, text.String())
	}
	if strings.ContainsAny(b.String(), "\x1b\u202e") {
		t.Error("a character that nobody can see stands in the page")
	}
}
