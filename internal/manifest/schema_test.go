package manifest

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/pack"
)

var updateSchema = flag.Bool("update-schema", false, "rewrite the schema files")

const draft = "https://json-schema.org/draft/2020-12/schema"

// The committed schemas are those that the types give.
func TestSchemaIsFresh(t *testing.T) {
	for file, schema := range map[string]*jsonschema.Schema{"schema.json": manifestSchemaOf(t), "requests.schema.json": requestSchemaOf(t)} {
		want, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		if *updateSchema {
			if err := os.WriteFile(file, want, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale; run go generate ./internal/manifest (%v)", file, err)
		}
	}
}

// The schema takes every manifest that the reader takes, and refuses those that
// the reader refuses for a reason that a schema can express.
func TestSchemaAgreesWithReader(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	// Reasons that no schema can express, or that a file of JSON can't have.
	beyond := map[cento.ErrorCode]bool{strict.Syntax: true, strict.DuplicateKey: true, cento.DuplicateID: true, cento.DuplicateTool: true, pack.UnknownPrefix: true, NoSuchItem: true}
	// What the schema refuses and the reader takes.
	stricter := map[string]bool{"bare_texts": true}
	cases, refused := 0, 0
	archives.Each(t, func(name string, files map[string]string) {
		text, ok := files[FileName]
		if !ok {
			return
		}
		cases++
		_, readErr := Parse(FileName, []byte(text))
		n, err := strict.YAML(FileName, []byte(text), cento.DefaultLimits())
		if err != nil {
			return // no value to ask about
		}
		schemaErr := validate(t, schema, n)
		switch {
		case readErr == nil && stricter[name]:
			if schemaErr == nil {
				t.Errorf("%s: the schema isn't stricter than the reader after all", name)
			}
		case readErr == nil && schemaErr != nil:
			t.Errorf("%s: read, but the schema refuses it: %v", name, schemaErr)
		case readErr != nil:
			refused++
			inReach := slices.ContainsFunc(cento.SourceErrors(readErr), func(e *cento.SourceError) bool { return !beyond[e.Code] })
			if inReach && schemaErr == nil {
				t.Errorf("%s: refused by the reader alone: %v", name, readErr)
			}
		}
	})
	if cases < 10 || refused < 5 {
		t.Errorf("only %d manifests, %d of them bad", cases, refused)
	}
}

// One fault at a time: what the reader refuses the schema refuses.
func TestSchemaRefusesEachFault(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	for _, manifest := range []string{
		"version: 2", "version: 1.5", "agnet: {}", "agent: {nmae: x}", "system: [x]", "{system: a, instruction: $workspace/a}", "instruction: reviewer",
		"host: {system_prefx: x}", "host: {system_prefix: true}", "host: {system_prefix: {position: above}}", "host: {system_prefix: [{parts: [{bdy: x}]}]}",
		"host: {system_prefix: {content: a, body: b}}", "host: {system_prefix: {content: a, parts: []}}", "host: {system_prefix: {template: review}}",
		"host: {system_prefix: {template: $workspace/a, content: b}}", "host: {system_prefix: {template: $workspace/a, body: b}}", "host: {system_prefix: {template: $workspace/a, parts: []}}",
		"fragments: [{id: a}]", "fragments: [{body: a}]", "fragments: [{id: ' ', body: a}]", "fragments: [{id: replacement, body: a}]", "fragments: [{id: a, body: b, trust: host}]",
		"fragments: [{id: a, body: b, template: $workspace/c}]", "fragments: [{id: a, template: c}]", "fragments: [{id: a, template: $Workspace/c}]", "fragments: [{id: a, template: null}]",
		"fragments: [{id: a, contract: b}]", "fragments: [{id: a, contract: b.yaml, body: c}]", "fragments: [{id: a, contract: b.yaml, template: $workspace/c}]", "fragments: [{id: a, body: c, form: edn}]",
		"fragments: [{id: a, contract: b.yaml, form: yaml}]", "fragments: [{id: a, contract: b.yaml, exact: 1}]", "fragments: [{id: a, contract: {role: proposer}}]", "fragments: [{id: a, contract: {role: judge, objective: a, output: {emit: fact, key: seeds}}}]",
		"vars: [a]", "vars: a", "prompt_pack: {}", "prompt_pack: ' '",
		"packs: [{path: a}]", "packs: [{name: A}]", "packs: [{name: a, path: ../a}]", "packs: [{name: a, path: /a}]", "packs: [{name: a, path: 'a\\b'}]", "packs: [{name: a, pth: a}]", "packs: [a]",
		"ignore: [{code: x}]", "ignore: [{reason: x}]", "ignore: [{code: ' ', reason: x}]", "ignore: [{code: x, reason: ''}]", "ignore: {}",
		"fragments: [{id: a, body: b, importance: high}]", "fragments: [{id: a, body: b, group: [g]}]", "fragments: [{id: a, body: b, variants: c}]", "budget: 3", "budget: {tokens: -1}", "budget: {share: 0}", "budget: {share: 1.5}", "budget: {tokens: 3, policy: greedy}", "budget: {tokens: 3, keep_cached: 1}", "fragments: [{id: a, body: b, importance: 1.5}]", "fragments: [{id: a, body: b, bucket: x}]",
		"fragments: [{id: a, body: b, requires_tools: x}]", "tools: todo", "tools: [{description: x}]", "tools: [{name: ''}]", "tools: [{name: a b}]", "tools: [réad]", "tools: ['a\u200bb']", "tools: [[a]]", "tools: {mcp: {}}", "tools: {}",
		"tools: {mcp: x}", "tools: {mcp: []}", "tools: {mcp: [{command: [a]}]}", "tools: {mcp: {command: []}}", "tools: {mcp: {command: a}}", "tools: {mcp: {command: [' ']}}", "tools: {mcp: {comand: [a]}}",
		"tools: {mcp: {a b: {command: [a]}}}", "tools: {mcp: {a: {name: b, command: [a]}}}", "tools: {mcp: {a: {env: {X: y}}}}", "tools: {mcp: {command: [a], url: 'https://a'}}", "tools: {mcp: {url: 'https://a', cwd: b}}", "tools: {mcp: {url: 'https://a', env: {X: y}}}",
		"tools: {mcp: {url: 'ftp://a'}}", "tools: {mcp: {url: 'https://'}}", "tools: {mcp: {url: 'https://u:p@a'}}", "tools: {mcp: {url: 'https://a#b'}}", "tools: {mcp: {command: [a], cwd: ../b}}", "tools: {mcp: {command: [a], cwd: /b}}",
		"tools: {mcp: {command: [a], env: {'A B': c}}}", "tools: {mcp: {command: [a], inherit: ['']}}", "tools: {mcp: {command: [a], prefix: 'a b'}}", "tools: {mcp: {command: [a], timeout: 601}}", "tools: {mcp: {command: [a], timeout: 0}}",
		"tools: {mcp: {command: [a]}, lock: no}", "tools: {lock: require}",
		"tools: [{type: web_search, name: ' '}]", "tools: [{type: web_search, guidance: []}]", "tools: [{type: web_serch, max_uses: 1}]", "tools: [{type: bash_20250124, description: []}]",
		"tools: [{name: a, parameters: []}]", "tools: [{name: a, guidence: x}]", "tools: [{type: x, function: {name: a}}]", "tools: [{name: a, function: {name: b}}]", "tools: [{name: a, parameters: {}, input_schema: {}}]",
		"caps: ['']", "caps: ['-']", "scope: {}", "scope: {allow: []}", "scope: {allow: [{target: .}]}", "scope: {allow: [{target: ., permission: none}]}", "scope: {allow: [{target: ' ', permission: read}]}",
		"project: {instructions: x}", "project: {markers: [a/b]}", "project: {markers: [..]}", "project: {limit: 0}", "profile: on", "profile: [x]", "profile: {cap: [x]}", "profile: {caps: ['']}", "profile: {caps: [-x]}", "profile: {fragments: [{id: a}]}", "profile: {fragments: [{id: a, body: b, origin: c}]}", "profile: {signals: [x]}", "skills: on", "skills: [pdf]", "skills: {actve: [pdf]}", "skills: {active: pdf}", "skills: {active: [' ']}", "skills: {exclude: [a, a]}", "skills: {budget: 0}", "skills: {catalog: auto}", "model: ' '", "replacement: ' '",
		"trust: {policy: hide}", "trust: {policy: {host: show}}", "trust: {secrets: redact}", "limits: {file: 0}", "limits: {file: 1048577}", "limits: {prompt: 16777217}", "limits: {fragments: 100001}", "limits: {nesting: 101}",
		"reminders: x", "reminders: {placement: trun}", "reminders: {append: true}", "reminders: {append_only: 1}", "reminders: {placement: system, append_only: true}", "reminders: {providers: [idle]}", "reminders: {providers: idle_nudge}", "reminders: {providers: [-idle_nudge, idle_nudge]}",
		"reminders: {providers: [-idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge, -idle_nudge]}", "materialise: always", "materialise: true", "layers: {}", "store: [x]", "store: {}", "wire: x", "wire: {provider: antropic}", "wire: {sectioning: html}", "wire: {cache: {mode: on}}", "wire: {cache: {ttl: 1h}}", "wire: {max_tokens: 0}", "wire: {extra: []}", "models: {}", "models: [{}]", "models: [{id: a, window: 1}]", "models: [{id: a, price: {input: -1}}]", "models: [{id: a, cache: {kind: x}}]", "tests: {}", "tests: [{contains: a}]", "tests: [{name: a}]", "tests: [{name: ' ', contains: b}]", "tests: [{name: a, contains: []}]", "tests: [{name: a, contains: ' '}]", "tests: [{name: a, contians: b}]", "tests: [{name: a, contains: b, target: c, targets: [d]}]",
		"tests: [{name: a, contains: b, targets: []}]", "tests: [{name: a, contains: b, with: {tool: [c]}}]", "tests: [{name: a, contains: b, with: {tools: ['c d']}}]", "tests: [{name: a, contains: b, with: {caps: ['']}}]", "tests: [{name: a, contains: b, with: {budget: much}}]", "tests: [{name: a, contains: b, with: {now: noon}}]",
		"tests: [{name: a, contains: b, with: {cwd: ../c}}]", "tests: [{name: a, contains: b, with: {files: {../c: d}}}]", "tests: [{name: a, contains: b, matrix: {tool: [c]}}]", "tests: [{name: a, contains: b, matrix: {tools: []}}]", "tests: [{name: a, contains: b, matrix: {model: [c, c]}}]", "tests: [{name: a, max_tokens: -1}]", "tests: [{name: a, max_tokens_of: {b: c}}]",
		"tests: [{name: a, golden: ' '}]", "tests: [{name: a, golden: /b}]", "tests: [{name: a, truth: b/}]", "tests: [{name: a, error: ' '}]", "tests: [{name: a, findings: all}]", "tests: [{name: a, findings: none, with: {tools: [b]}}]", "tests: [{name: a, findings: [], matrix: {caps: [[b]]}}]",
		"tests: [{name: a, same_prefix: {through: b}}]", "tests: [{name: a, same_prefix: {as: {}}}]", "tests: [{name: a, same_prefix: {as: {}, through: b, bytes: 3}}]", "tests: [{name: a, wire: {}}]", "tests: [{name: a, wire: {provider: antropic, losses: []}}]", "targets: [a]", "targets: {a: {version: 1}}", "targets: {a: {tests: []}}", "targets: {a: {scope: {alow: []}}}", "targets: {a: x}",
		"targets: {a: {caps: {}}}", "targets: {a: {caps: {add: x}}}", "targets: {a: {caps: {add: null}}}", "targets: {a: {caps: {ad: [x]}}}", "targets: {a: {caps: {remove: ['']}}}", "targets: {a: {caps: {remove: [{a: b}]}}}", "caps: {add: [x]}", "scope: {deny: {add: []}}",
		"targets: {a: {tools: {add: [x], mcp: {command: [y]}}}}", "targets: {a: {tools: {tools: {ad: [x]}}}}", "targets: {a: {fragments: {add: [{id: x}]}}}", "targets: {a: {host: {system_prefix: {add: x}}}}", "targets: {a: {scope: {deny: {add: [{target: .}]}}}}",
	} {
		if _, err := Parse("m.yaml", []byte(manifest)); err == nil {
			t.Errorf("the reader takes %s", manifest)
		}
		n, err := strict.YAML("m.yaml", []byte(manifest), cento.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if validate(t, schema, n) == nil {
			t.Errorf("the schema takes %s", manifest)
		}
	}
}

// Manifests that lie in the repository are read and pass the schema.
func TestManifestsOfTheRepository(t *testing.T) {
	schema := compiled(t, manifestSchema, "")
	found := 0
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != "../.." && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case e.IsDir() || e.Name() != FileName:
			return nil
		}
		found++
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := Parse(path, data); err != nil {
			t.Errorf("%v", err)
			return nil
		}
		n, err := strict.YAML(path, data, cento.DefaultLimits())
		if err != nil {
			return err
		}
		if err := validate(t, schema, n); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d manifests, %v", found, err)
	}
}

// Requests agree with their schema as manifests do.
func TestRequestSchemaAgreesWithReader(t *testing.T) {
	requests := 0
	for _, cases := range []archive.Cases{archives, {Folder: "../call/testdata"}} {
		cases.Each(t, func(name string, files map[string]string) {
			for file, text := range files {
				read, ok := requestReaders[file]
				if !ok {
					continue
				}
				_, readErr := read(t, file, []byte(text))
				n, err := strict.JSON(file, []byte(text), cento.DefaultLimits())
				if err != nil {
					continue
				}
				requests++
				schemaErr := validate(t, compiled(t, requestSchema, "#/$defs/"+strings.TrimSuffix(file, ".json")), n)
				if (readErr == nil) != (schemaErr == nil) {
					t.Errorf("%s: %s: the reader says %v, the schema %v", name, file, readErr, schemaErr)
				}
			}
		})
	}
	if requests == 0 {
		t.Error("no requests")
	}
}

// requestReaders are what reads each request, by the name of its file.
var requestReaders = map[string]inputReader{
	"reduce.json":       reader(ParseReduce),
	"scope.json":        reader(ParseScope),
	"render.json":       reader(ParseRender),
	"contract.json":     reader(ParseContract),
	"ablate.json":       reader(ParseAblate),
	"assemble.json":     reader(ParseAssemble),
	"explain.json":      reader(ParseExplain),
	"why.json":          reader(ParseWhy),
	"diff.json":         reader(ParseDiff),
	"check.json":        reader(ParseCheck),
	"instructions.json": reader(ParseInstructions),
	"tokens.json":       reader(ParseTokens),
	"budget.json":       reader(ParseBudget),
	"cache.json":        reader(ParseCache),
	"models.json":       reader(ParseModels),
	"wire.json":         reader(ParseWire),
}

// compiledSchemas are those that were compiled, by their text and part: a schema of requests takes
// longer to compile than all that it is asked.
var compiledSchemas sync.Map

func compiled(t *testing.T, schema []byte, part string) *validator.Schema {
	key := string(schema) + "\x00" + part
	if s, ok := compiledSchemas.Load(key); ok {
		return s.(*validator.Schema)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("https://cento.invalid/schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("https://cento.invalid/schema.json" + part)
	if err != nil {
		t.Fatal(err)
	}
	compiledSchemas.Store(key, s)
	return s
}

func validate(t *testing.T, schema *validator.Schema, n *strict.Node) error {
	data, err := n.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(v)
}
