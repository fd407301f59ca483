package profile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// nodeTool is a package manager.
type nodeTool struct {
	tool
	// locks are the lock files that it writes; own are files that it alone reads.
	locks, own []string
	// run is how a script is run; test how the script of that name is.
	run, test string
}

var nodeManagers = []nodeTool{
	{tool{"npm", "npm"}, []string{"package-lock.json", "npm-shrinkwrap.json"}, nil, "npm run ", "npm test"},
	{tool{"pnpm", "pnpm"}, []string{"pnpm-lock.yaml"}, []string{"pnpm-workspace.yaml"}, "pnpm run ", "pnpm test"},
	{tool{"yarn", "Yarn"}, []string{"yarn.lock"}, []string{".yarnrc.yml", ".yarnrc"}, "yarn run ", "yarn test"},
	{tool{"bun", "Bun"}, []string{"bun.lock", "bun.lockb"}, []string{"bunfig.toml"}, "bun run ", "bun run test"},
}

// node asks package.json.
func (b *buildFiles) node() {
	name, ok := b.file("package.json")
	if !ok {
		return
	}
	at := b.at(name)
	n, parsed := b.json(name)
	manager, place, known := b.nodeManager(n, at)
	if known {
		b.finder.build(manager.tool, place)
	}
	if b.nodeAt.IsZero() {
		b.nodeAt = at
	}
	if !parsed {
		return
	}
	says, typed := at, false
	for _, list := range []string{"devDependencies", "dependencies"} {
		if p, ok := keys(n, list)["typescript"]; ok {
			says, typed = p, true
		}
	}
	if config, ok := b.file("tsconfig.json"); ok {
		says, typed = b.at(config), true
	}
	if typed {
		b.finder.language("typescript", says)
	}
	if !known {
		return
	}
	scripts := nodeScripts(n)
	if at, ok := scripts["check"]; ok && !script(n, "check", faultSeeker()) {
		delete(scripts, "check")
		if _, there := scripts["test"]; !there && script(n, "check", testRunner()) {
			b.script(taskTest, manager.run+"check", at)
		}
	}
	b.named(nodeNames, scripts, func(script string) string {
		if script == "test" {
			return manager.test
		}
		return manager.run + script
	})
}

// nodeManager is whose package manager a folder's is: the one that package.json
// names, else the one whose lock file is there, of several the one that has a file
// of its own, and npm where nothing speaks of any, since it reads every
// package.json. Where several have locks and nothing tells them apart, none is
// known. A note tells that, and a lock file of another than was named.
func (b *buildFiles) nodeManager(n *strict.Node, at cento.Position) (nodeTool, cento.Position, bool) {
	var locked []nodeTool
	var locks []string
	for _, m := range nodeManagers {
		if lock, ok := b.file(m.locks...); ok {
			locked, locks = append(locked, m), append(locks, lock)
		}
	}
	if m, v, ok := declaredManager(n); ok {
		if b.dir == "." && len(locked) > 0 && !slices.ContainsFunc(locked, func(l nodeTool) bool { return l.id == m.id }) {
			b.finder.note(Undecided, v, fmt.Sprintf("this names %s, and the lock file beside it, %s, is that of %s; commands are told for %s", m.label, locks[0], locked[0].label, m.label))
		}
		return m, v, true
	}
	switch len(locked) {
	case 0:
		return nodeManagers[0], at, true
	case 1:
		return locked[0], b.at(locks[0]), true
	}
	own := -1
	for i, m := range locked {
		if _, ok := b.file(m.own...); ok && own >= 0 {
			own = len(locked) // of two nothing follows either
		} else if ok {
			own = i
		}
	}
	if own >= 0 && own < len(locked) {
		file, _ := b.file(locked[own].own...)
		return locked[own], b.at(file), true
	}
	if b.dir == "." {
		b.finder.note(Undecided, at, fmt.Sprintf("whose package manager is this project's? There are %s, and nothing says which; no command of package.json is told. Name it in its field packageManager", strings.Join(locks, " and ")))
	}
	return nodeTool{}, at, false
}

// declaredManager is the package manager that a package.json names.
func declaredManager(n *strict.Node) (nodeTool, cento.Position, bool) {
	if n == nil {
		return nodeTool{}, cento.Position{}, false
	}
	_, v := n.Member("packageManager")
	if v == nil {
		if _, dev := n.Member("devEngines"); dev != nil && dev.Kind() == strict.Map {
			if _, named := dev.Member("packageManager"); named != nil && named.Kind() == strict.Map {
				_, v = named.Member("name")
			}
		}
	}
	if v == nil {
		return nodeTool{}, cento.Position{}, false
	}
	text, _ := v.Text()
	name, _, _ := strings.Cut(text, "@")
	i := slices.IndexFunc(nodeManagers, func(m nodeTool) bool { return m.id == name })
	if i < 0 {
		return nodeTool{}, cento.Position{}, false
	}
	return nodeManagers[i], v.Position(), true
}

// nodeScripts are the scripts of a package.json that do what their names say: not
// the test script that npm writes into every new package, which fails, and what is
// called fix or format only where it formats.
func nodeScripts(n *strict.Node) map[string]cento.Position {
	scripts := keys(n, "scripts")
	if script(n, "test", placeholder()) {
		delete(scripts, "test")
	}
	for _, name := range []string{"format", "fmt"} {
		if script(n, name, formatCheck()) && !script(n, name, formatWrite()) {
			delete(scripts, name)
		}
	}
	for _, name := range []string{"fix", "lint:fix"} {
		_, formats := scripts[called(n, name)]
		if !script(n, name, formatWrite()) && !formats {
			delete(scripts, name)
		}
	}
	return scripts
}

// called is the script by which another one formats; empty for none.
func called(n *strict.Node, name string) string {
	text, _ := scriptText(n, name)
	if m := formatCall().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// script reports whether the text of a script matches an expression; there may be
// no such script.
func script(n *strict.Node, name string, re *regexp.Regexp) bool {
	text, there := scriptText(n, name)
	return there && re.MatchString(text)
}

// scriptText is what a script says, and whether there is one.
func scriptText(n *strict.Node, name string) (text string, there bool) {
	_, scripts := n.Member("scripts")
	if scripts == nil || scripts.Kind() != strict.Map {
		return "", false
	}
	_, script := scripts.Member(name)
	if script == nil {
		return "", false
	}
	text, _ = script.Text()
	return text, true
}

// What a script does, by the programs that it names. A type checker looks for no
// faults of style, and is neither lint nor test; with --check a formatter formats
// nothing.
var (
	placeholder = lazily(`^\s*$|no test specified`)
	testRunner  = lazily(`\b(?:vitest|jest|mocha|ava|tap|node --test|playwright|cypress|(?:npm|pnpm|yarn|bun)(?: run)? test)\b`)
	faultSeeker = lazily(`lint|\bbiome\b|\bultracite\b|\bxo\b|\bstandard\b`)
	formatCheck = lazily(`--check\b|--list-different\b| -[cl]\b|\bbiome (?:check|format)\b`)
	formatWrite = lazily(`\b(?:prettier|biome (?:check|format))\b.*(?:--write|--apply|--fix|\s-w)\b|\b(?:xo|standard)\b.* --fix\b|\b(?:oxfmt|dprint fmt|deno fmt|ultracite (?:fix|format))\b`)
	formatCall  = lazily(`\b(?:run |pnpm |yarn )(format|fmt)\b`)
)

func (b *buildFiles) deno() {
	name, at, ok := b.tool(tool{"deno", "Deno"}, "deno.json", "deno.jsonc")
	if !ok {
		return
	}
	b.finder.language("typescript", at)
	if strings.HasSuffix(name, ".json") { // with comments it is no JSON, and only there
		if n, ok := b.json(name); ok {
			b.named(usualNames, keys(n, "tasks"), func(t string) string { return "deno task " + t })
		}
	}
	b.task(taskTest, "deno test", at)
	b.task(taskLint, "deno lint", at)
	b.task(taskFormat, "deno fmt", at)
}

// php asks composer.json.
func (b *buildFiles) php() {
	name, at, ok := b.tool(tool{"composer", "Composer"}, "composer.json")
	if !ok {
		return
	}
	b.finder.language("php", at)
	if n, ok := b.json(name); ok {
		scripts := keys(n, "scripts")
		b.named(usualNames, scripts, func(s string) string { return "composer run-script " + s })
		dev := keys(n, "require-dev")
		for _, t := range []struct{ pack, task, command string }{
			{"phpunit/phpunit", taskTest, "vendor/bin/phpunit"},
			{"pestphp/pest", taskTest, "vendor/bin/pest"},
			{"phpstan/phpstan", taskLint, "vendor/bin/phpstan analyse"},
			{"friendsofphp/php-cs-fixer", taskFormat, "vendor/bin/php-cs-fixer fix"},
			{"laravel/pint", taskFormat, "vendor/bin/pint"},
		} {
			if place, ok := dev[t.pack]; ok {
				b.task(t.task, t.command, place)
			}
		}
	}
	if config, ok := b.file("phpunit.xml", "phpunit.xml.dist"); ok {
		b.task(taskTest, "vendor/bin/phpunit", b.at(config))
	}
}

// firstPlace is the first of some keys that is there, in the order asked for.
func firstPlace(places map[string]cento.Position, names ...string) (cento.Position, bool) {
	i := slices.IndexFunc(names, func(n string) bool { _, ok := places[n]; return ok })
	if i < 0 {
		return cento.Position{}, false
	}
	return places[names[i]], true
}
