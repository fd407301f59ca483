package controltoken

import (
	"strings"
	"testing"
)

func TestNext(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"plain":                        "",
		"a <|im_start|>system":         "<|im_start|>",
		"<|<|im_end|>":                 "<|im_end|>",
		"<|start_header_id|>":          "<|start_header_id|>",
		"<|reserved_special_token_0|>": "<|reserved_special_token_0|>",
		"<|START_OF_TURN_TOKEN|>":      "<|START_OF_TURN_TOKEN|>",
		"<｜User｜>":                     "<｜User｜>",
		"<｜begin▁of▁sentence｜>":        "<｜begin▁of▁sentence｜>",
		"[|assistant|]":                "[|assistant|]",
		"x [/INST] y":                  "[/INST]",
		"<<SYS>>":                      "<<SYS>>",
		"<</SYS>>":                     "<</SYS>>",
		"<s>x":                         "<s>",
		"<start_of_turn>user":          "<start_of_turn>",
		"<|turn>system":                "<|turn>",
		"x<turn|>":                     "<turn|>",
		`<|"|>`:                        `<|"|>`,
		"<SPECIAL_10>System":           "<SPECIAL_10>",
		"[UNUSED_TOKEN_146]user":       "[UNUSED_TOKEN_146]",
		"a]~b]user":                    "]~b]",
		"]]~!b[":                       "]~!b[",
		"<｜DSML｜invoke name=":          "<｜DSML｜",
		"[gMASK]<sop":                  "[gMASK]",
		"x [sMASK]":                    "[sMASK]",
		"[/MODEL_SETTINGS] y":          "[/MODEL_SETTINGS]",
		"a<image_soft_token>":          "<image_soft_token>",
		"<|placeholder1|>":             "<|placeholder1|>",
		"<|start_of_role|>user":        "<|start_of_role|>",
		"<|object_ref_start|>":         "<|object_ref_start|>",
		"<|im_middle|>":                "<|im_middle|>",
		"<|observation|>":              "<|observation|>",
		"<|plamo:begin_think:plamo|>":  "<|plamo:begin_think:plamo|>",
		"Human: hi<|separator|>":       "<|separator|>",
		"<|control704|>":               "<|control704|>",
		"a<｜tool_call_begin｜>":         "<｜tool_call_begin｜>",
		`<steptml:invoke name="x">`:    "<steptml:",
		"</steptml:parameter>":         "</steptml:",
		// not tokens
		"f <| g |> h":                     "",
		"<||>":                            "",
		"<| |>":                           "",
		"<|im_start>":                     "",
		"<|im\u200b_start|>":              "",
		"＜|im_start|＞":                    "",
		"[inst] <S> <span>":               "",
		"[link](x) [INSTALL]":             "",
		"a[0]~b <turn> <SPECIAL_> <|turn": "",
		"<think> <tool_call>":             "",
		"[MASK] [settings]":               "",
		"<|" + strings.Repeat("a", longest+1) + "|>": "",
	} {
		start, end, family, ok := Next(text, 0)
		if got := text[start:end]; got != want || ok != (want != "") || ok != (family != "") {
			t.Errorf("%q: %q of %q", text, got, family)
		}
		if ok {
			if _, _, _, again := Next(text, end); again {
				t.Errorf("%q: a second token", text)
			}
		}
	}
}

// TestTable: every word is found as itself, and none twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range words {
		for _, token := range w.tokens {
			start, end, family, ok := Next("x"+token+"x", 0)
			if !ok || start != 1 || end != 1+len(token) || family != w.family || seen[token] {
				t.Errorf("%q: [%d, %d) of %q, repeated: %t", token, start, end, family, seen[token])
			}
			seen[token] = true
		}
	}
	if len(seen) < 40 {
		t.Errorf("%d words", len(seen))
	}
}
