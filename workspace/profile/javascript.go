package profile

import (
	"slices"
	"strings"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// nodeManagers are the package managers, by the lock files that they write.
var nodeManagers = []struct {
	tool
	locks []string
	// run is how a script is run; test how the script of that name is.
	run, test string
}{
	{tool{"npm", "npm"}, []string{"package-lock.json", "npm-shrinkwrap.json"}, "npm run ", "npm test"},
	{tool{"pnpm", "pnpm"}, []string{"pnpm-lock.yaml"}, "pnpm run ", "pnpm test"},
	{tool{"yarn", "Yarn"}, []string{"yarn.lock"}, "yarn run ", "yarn test"},
	{tool{"bun", "Bun"}, []string{"bun.lock", "bun.lockb"}, "bun run ", "bun run test"},
}

// node asks package.json. The lock file says whose package manager it is; where
// there are several, or none, the file itself does (packageManager), and if it
// doesn't, npm reads every package.json.
func (b *buildFiles) node() {
	name, ok := b.file("package.json")
	if !ok {
		return
	}
	at := b.at(name)
	n, parsed := b.json(name)
	manager, place := 0, at
	locks := 0
	for i, m := range nodeManagers {
		if lock, ok := b.file(m.locks...); ok {
			manager, place = i, b.at(lock)
			locks++
		}
	}
	if locks != 1 {
		manager, place = 0, at
		if parsed {
			if _, v := n.Member("packageManager"); v != nil {
				text, _ := v.Text()
				said, _, _ := strings.Cut(text, "@")
				for i, m := range nodeManagers {
					if m.id == said {
						manager, place = i, v.Position()
					}
				}
			}
		}
	}
	m := nodeManagers[manager]
	b.finder.build(m.tool, place)
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
	scripts := keys(n, "scripts")
	if isPlaceholder(n) {
		delete(scripts, "test")
	}
	b.named(scripts, func(script string) string {
		if script == "test" {
			return m.test
		}
		return m.run + script
	})
}

// isPlaceholder reports whether the test script is the one that npm writes into
// every new package, which fails.
func isPlaceholder(n *strict.Node) bool {
	_, scripts := n.Member("scripts")
	if scripts == nil {
		return false
	}
	_, test := scripts.Member("test")
	if test == nil {
		return false
	}
	text, ok := test.Text()
	return !ok || strings.TrimSpace(text) == "" || strings.Contains(text, "no test specified")
}

func (b *buildFiles) deno() {
	name, ok := b.file("deno.json", "deno.jsonc")
	if !ok {
		return
	}
	at := b.at(name)
	b.finder.build(tool{"deno", "Deno"}, at)
	b.finder.language("typescript", at)
	if strings.HasSuffix(name, ".json") { // with comments it is no JSON, and only there
		if n, ok := b.json(name); ok {
			b.named(keys(n, "tasks"), func(t string) string { return "deno task " + t })
		}
	}
	b.task(taskTest, "deno test", at)
	b.task(taskLint, "deno lint", at)
	b.task(taskFormat, "deno fmt", at)
}

// php asks composer.json.
func (b *buildFiles) php() {
	name, ok := b.file("composer.json")
	if !ok {
		return
	}
	at := b.at(name)
	b.finder.build(tool{"composer", "Composer"}, at)
	b.finder.language("php", at)
	if n, ok := b.json(name); ok {
		scripts := keys(n, "scripts")
		b.named(scripts, func(s string) string { return "composer run-script " + s })
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
