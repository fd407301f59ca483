package jinja_test

import (
	"errors"
	"fmt"

	"github.com/cento-dev/cento/jinja"
)

func Example() {
	env := jinja.New(jinja.Options{})
	tmpl, err := env.Parse(jinja.Source{Name: "hello.md", Text: "Hello {{ name }}!"})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := tmpl.Render(new(jinja.MapBuilder).Set("name", jinja.String("Ann", 1)).Map())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Text())
	span, _ := out.SpanAt(6)
	fmt.Printf("%s:%d:%d, variable %s, trust %d\n", span.File, span.Line, span.Column, span.Var, span.Trust)
	// Output:
	// Hello Ann!
	// hello.md:1:10, variable name, trust 1
}

func ExampleEnv_Load() {
	env := jinja.New(jinja.Options{Loader: jinja.MapLoader{
		"agent.md": "{% from 'lib.md' import rule %}You work in {{ root }}.\n{{ rule('Ask before you delete ' ~ what ~ '.') }}",
		"lib.md":   "{% macro rule(text) %}- {{ text }}{% endmacro %}",
	}})
	tmpl, err := env.Load("agent.md")
	if err != nil {
		fmt.Println(err)
		return
	}
	const host, project = 1, 4
	ctx := new(jinja.MapBuilder).Set("root", jinja.String("/srv", host)).Set("what", jinja.String("files", project)).Map()
	out, err := tmpl.Render(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for s := range out.All() {
		fmt.Printf("%q %s:%d:%d %s %d\n", out.Text()[s.Start:s.End], s.File, s.Line, s.Column, s.Var, s.Trust)
	}
	// Output:
	// "You work in " agent.md:1:32  0
	// "/srv" agent.md:1:47 root 1
	// ".\n" agent.md:1:54  0
	// "- " lib.md:1:23  0
	// "Ask before you delete " agent.md:2:10  0
	// "files" agent.md:2:36 what 4
	// "." agent.md:2:44  0
}

// A condition is read once, says which names it needs, and is tested as often as wanted.
func ExampleEnv_ParseExpr() {
	cond, err := jinja.New(jinja.Options{}).ParseExpr(jinja.Source{Name: "when", Text: "'shell' in tools and depth < 3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cond.Undeclared())
	for _, depth := range []int64{1, 7} {
		ctx := new(jinja.MapBuilder).Set("tools", jinja.List(jinja.String("shell", 1))).Set("depth", jinja.Int(depth)).Map()
		fmt.Println(cond.Test(ctx))
	}
	// Output:
	// [depth tools]
	// true <nil>
	// false <nil>
}

// A template that runs out of steps is told where, with the line and a caret; one that
// doesn't tells what it took, from which a bound can be chosen.
func ExampleError_Detail() {
	src := jinja.Source{Name: "list.md", Text: "{% for n in range(most) %}{{ n }} {% endfor %}"}
	env := jinja.New(jinja.Options{Limits: jinja.Limits{Fuel: 100}})
	tmpl, err := env.Parse(src)
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := tmpl.Render(new(jinja.MapBuilder).Set("most", jinja.Int(3)).Map())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q took %d steps\n", out.Text(), out.FuelUsed())
	_, err = tmpl.Render(new(jinja.MapBuilder).Set("most", jinja.Int(10_000)).Map())
	var fault *jinja.Error
	if errors.As(err, &fault) {
		fmt.Print(fault.Detail())
	}
	// Output:
	// "0 1 2 " took 20 steps
	// list.md:1:13: rendering takes more than the limit of 100 steps
	//   1 | {% for n in range(most) %}{{ n }} {% endfor %}
	//     |             ^^^^^^^^^^^
	//   where most is 10000
	//   hint: go over fewer items; a loop in a loop takes the product of both
}
