// Workloads writes the inputs of the reducer's benchmarks for a peer that has no
// generator of its own: one file per workload, fields parted by control
// characters, so that no JSON library is measured with it.
//
//	go run ./bench/cmd/workloads DIR
//
// Line 1 of DIR/W1.flat is the tools, line 2 the capabilities, parted by U+001F;
// each line after it a fragment: id, source, bucket, tools, capabilities, body,
// parted by U+001E. DIR/T3.json is the context of the third workload of the
// template engines, DIR/NAME.txt a text for the token counters.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cento-dev/cento/bench/workload"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: workloads DIR")
		os.Exit(2)
	}
	context, err := json.Marshal(workload.NestedContext())
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[1], "T3.json"), context, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "workloads:", err)
		os.Exit(3)
	}
	texts, err := workload.Texts()
	for _, t := range append(texts, workload.Text{Name: "blanks", Text: workload.Blanks()}) {
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], t.Name+".txt"), []byte(t.Text), 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "workloads:", err)
		os.Exit(3)
	}
	for _, name := range workload.Names() {
		if err := write(filepath.Join(os.Args[1], name+".flat"), name); err != nil {
			fmt.Fprintln(os.Stderr, "workloads:", err)
			os.Exit(3)
		}
	}
}

func write(path, name string) error {
	load, err := workload.Make(name)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	fmt.Fprintln(w, strings.Join(load.Tools, "\x1f"))
	fmt.Fprintln(w, strings.Join(load.Caps, "\x1f"))
	for _, x := range load.Fragments {
		fmt.Fprintln(w, strings.Join([]string{
			x.ID, x.Source, x.Bucket, strings.Join(x.RequiresTools, "\x1f"), strings.Join(x.RequiresCaps, "\x1f"), x.Body,
		}, "\x1e"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
