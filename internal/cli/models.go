package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) modelsCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "models [QUERY]",
		short: "List the models that are known, or tell all that is known of one",
		long: `List the models of the catalog, and of those that the manifest and your own
config.yaml name under models: their windows, prices and prompt caches. QUERY is a
part of a name, provider or family, or a name as a provider gives it, with a path
or region before it and a version behind it. Of one model everything is told, with
its sources; - is what isn't known. The exit code is 1 when the model isn't known.`,
		examples: `  cento models
  cento models claude
  cento models us.anthropic.claude-opus-4-7-v1:0 --json`,
		args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongUse("ask for one at a time", "cento models wants one query at most, and got %d arguments", len(args))
			}
			return nil
		},
		answers: answer[app.Models](),
		run: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			found, err := app.FindModels(c.site, req, strings.Join(args, ""))
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(found)
			} else {
				c.tellNotes(found.Notes)
				err = c.print(func(w *terminal.Writer) { writeModels(w, found) })
			}
			if err == nil && !found.Found() {
				err = errNo
			}
			return err
		},
	}
	f.registerSkills(cmd)
	return cmd
}

func writeModels(w *terminal.Writer, found *app.Models) {
	if len(found.Models) == 1 {
		writeModel(w, &found.Models[0], found.Remarks[found.Models[0].ID])
		return
	}
	var t table
	var head []cell
	for _, name := range []string{"model", "provider", "window", "output", "$ in", "$ out", "$ read", "cache", "from", "form"} {
		head = append(head, cell{Text: name, Paint: dim, Right: strings.HasPrefix(name, "$") || name == "window" || name == "output" || name == "from"})
	}
	t.Add(head...)
	for _, m := range found.Models {
		t.Add(
			cell{Text: m.ID}, cell{Text: known(m.Provider), Paint: dim}, number(m.Context), number(m.MaxOutput),
			price(m.Price.Input), price(m.Price.Output), price(m.Price.CacheRead),
			cell{Text: known(string(m.Cache.Kind))}, number(m.Cache.MinTokens), cell{Text: known(m.Wire), Paint: dim},
		)
	}
	w.Table(&t)
}

// known is a fact, or a dash where there is none.
func known(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func number(n *int) cell {
	if n == nil {
		return cell{Text: "-", Right: true}
	}
	return cell{Text: strconv.Itoa(*n), Right: true}
}

func price(p *float64) cell {
	if p == nil {
		return cell{Text: "-", Right: true}
	}
	return cell{Text: dollars(*p), Right: true}
}

func dollars(p float64) string { return strconv.FormatFloat(p, 'f', -1, 64) }

func truth(b *bool) string {
	switch {
	case b == nil:
		return "-"
	case *b:
		return "yes"
	}
	return "no"
}

// writeModel tells everything that is known of a model.
func writeModel(w *terminal.Writer, m *app.Model, remark string) {
	row := func(name, value string) { w.Printf("%s %s\n", dim.On(padded(name, 18)), known(value)) }
	w.Printf("%s\n", bold.On(m.ID))
	asked := m.Name
	if m.Path != "" {
		asked = m.Path + "/" + m.Name
	}
	if asked != m.ID {
		row("asked for as", asked)
	}
	row("aliases", strings.Join(m.Aliases, ", "))
	row("provider", m.Provider)
	row("family", m.Family)
	row("series", m.Series)
	row("status", m.Status)
	row("window", number(m.Context).Text)
	row("most input", number(m.MaxInput).Text)
	row("most output", number(m.MaxOutput).Text)
	counted := m.Counting.Counter + ", exactly"
	if !m.Counting.Exact {
		counted = "~" + m.Counting.Counter
		if m.Counting.Basis != "" {
			counted += ": " + m.Counting.Basis
		}
	}
	row("tokens by", counted)
	row("$ input", price(m.Price.Input).Text)
	row("$ output", price(m.Price.Output).Text)
	row("$ cache read", price(m.Price.CacheRead).Text)
	row("$ cache write", writePrices(m.Price.CacheWrite))
	if a := m.Price.Above; a != nil {
		row("above tokens", strconv.Itoa(a.Tokens))
		row("  $ input", price(a.Input).Text)
		row("  $ output", price(a.Output).Text)
		row("  $ cache read", price(a.CacheRead).Text)
		row("  $ cache write", writePrices(a.CacheWrite))
	}
	if m.Price.Until != "" {
		row("price until", m.Price.Until)
	}
	row("cache", string(m.Cache.Kind))
	row("  from tokens", number(m.Cache.MinTokens).Text)
	row("  most marks", number(m.Cache.MaxBreakpoints).Text)
	row("  times", strings.Join(m.Cache.TTL, ", "))
	row("  by itself", truth(m.Cache.Automatic))
	row("  blocks back", number(m.Cache.Lookback).Text)
	row("system prompt", string(m.System))
	row("  one message", truth(m.OneSystemMessage))
	row("  between turns", truth(m.MidConversationSystem))
	row("prefill", truth(m.Prefill))
	row("temperature", truth(m.Sampling))
	row("  at effort none", truth(m.SamplingAtNone))
	row("  with top_p", truth(m.SamplingPair))
	row("efforts", strings.Join(m.Efforts, ", "))
	row("  by default", m.DefaultEffort)
	row("thinking budget", truth(m.ThinkingBudget))
	row("  adaptive", truth(m.AdaptiveThinking))
	row("max_tokens in Chat", truth(m.ChatMaxTokens))
	row("sections", strings.Join(m.Sections, ", "))
	row("form", m.Wire)
	row("calls tools", truth(m.Tools))
	row("  in Chat", truth(m.ChatTools))
	row("sees images", truth(m.Vision))
	row("reasons", truth(m.Reasoning))
	row("as of", m.AsOf)
	row("checked", m.Checked)
	row("source", m.Source)
	if remark != "" {
		row("remark", remark)
	}
	row("capabilities", strings.Join(m.Caps(), ", "))
}

// writePrices are the prices of writing to the cache, by how long it is kept.
func writePrices(prices map[string]float64) string {
	var out []string
	for _, ttl := range slices.Sorted(maps.Keys(prices)) {
		said := dollars(prices[ttl])
		if ttl != "" {
			said += " for " + ttl
		}
		out = append(out, said)
	}
	return strings.Join(out, ", ")
}

func padded(s string, width int) string { return s + strings.Repeat(" ", max(width-len(s), 0)) }
