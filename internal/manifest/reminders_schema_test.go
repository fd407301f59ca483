package manifest

import (
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/archive"
	"github.com/cento-dev/cento/internal/strict"
	"github.com/cento-dev/cento/reminder"
)

func (s *schemas) reminderTypes() {
	s.types[reflect.TypeFor[Materialise]()] = enumOf[Materialise]()
	s.types[reflect.TypeFor[reminder.Placement]()] = enumOf[reminder.Placement]()
	s.types[reflect.TypeFor[strict.Located[reminder.Placement]]()] = enumOf[reminder.Placement]()
}

// remindersKey completes the schema of the manifest's key.
func remindersKey(s *jsonschema.Schema) {
	var on, off []any
	both := &jsonschema.Schema{}
	for _, p := range reminder.BuiltinProviders() {
		on, off = append(on, p.Name()), append(off, "-"+p.Name())
		each := &jsonschema.Schema{Type: "array"}
		for _, name := range []string{p.Name(), "-" + p.Name()} {
			each.AllOf = append(each.AllOf, &jsonschema.Schema{Contains: &jsonschema.Schema{Enum: []any{name}}})
		}
		both.AnyOf = append(both.AnyOf, each)
	}
	providers := s.Properties["providers"]
	providers.Items = &jsonschema.Schema{Enum: append(on, off...)}
	providers.MaxItems = jsonschema.Ptr(reminder.MaxProviders)
	providers.Not = both
	// Only what stands in the turn stays where it was sent.
	s.Not = &jsonschema.Schema{Type: "object", Required: []string{"append_only", "placement"}, Properties: map[string]*jsonschema.Schema{
		"append_only": {Enum: []any{true}}, "placement": {Enum: []any{"system", "native"}},
	}}
}

// reminders adds the request about reminders. The package reads it itself, so
// the schema is written down here, and held to the reader by its archives.
func (s *schemas) reminders(defs map[string]*jsonschema.Schema) {
	whole := func(least, most float64, about string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: &most, Description: about}
	}
	name := func(about string) *jsonschema.Schema {
		// No control or format characters, and something that is seen.
		return &jsonschema.Schema{Type: "string", Pattern: `^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*[^\p{Cc}\p{Cf}\p{Z}][^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$`, MaxLength: jsonschema.Ptr(reminder.MaxName), Description: about}
	}
	flag := func(about string) *jsonschema.Schema {
		return &jsonschema.Schema{Type: "boolean", Description: about}
	}
	word := func(words *jsonschema.Schema, about string) *jsonschema.Schema {
		words.Description = about
		return words
	}
	object := func(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
		o := &jsonschema.Schema{Type: "object", Properties: properties, Required: required, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
		s.optional(o)
		return o
	}
	fields := func() map[string]*jsonschema.Schema {
		return map[string]*jsonschema.Schema{
			"id":                  name("For clearing, audit and replay. Default: made from the session, the turn and the body."),
			"body":                {Type: "string", Pattern: `\S`, Description: "The text."},
			"tags":                {Type: "array", Items: name(""), MaxItems: jsonschema.Ptr(reminder.MaxTags), Description: "Words to clear it by."},
			"dedupe_key":          name("A newer pending reminder with the same key replaces the older."),
			"ttl_turns":           whole(1, reminder.MaxTTL, "Expires after that many turn ends; without it, when it is cleared or the conversation is compacted."),
			"preserve_on_compact": flag("Survives compaction; default false."),
			"propagate":           word(enumOf[reminder.Propagate](), "Which child sessions inherit it; default session."),
			"authority":           word(enumOf[reminder.Authority](), "Its rank among the others; default contract."),
			"role_hint":           word(enumOf[reminder.RoleHint](), "Kept for exchange with other systems; default system."),
			"source":              word(enumOf[reminder.Source](), "What made it; default in_pipeline."),
			"fired_at_turn":       whole(0, reminder.MaxTurn, "The turn in which it came up; default the current one."),
			"originating_session": name("Where an inherited copy came from first."),
			"fired":               flag("It was part of a turn; default false."),
			"trust":               {Enum: []any{"workspace", "session"}, Description: "Whose word the body is: workspace for the text of a file of the project; default session."},
		}
	}
	defs["reminder"] = object([]string{"body"}, fields())
	defs["pendingReminder"] = object([]string{"id", "body"}, fields())
	for _, of := range []string{"reminder", "pendingReminder"} {
		notNull(defs[of].Properties["ttl_turns"]) // a life of null is refused
	}
	sessionName := &jsonschema.Schema{
		Type: "string", Pattern: `^[\p{L}\p{Nd}_][\p{L}\p{M}\p{Nd}_.:@+=~-]*$`, MaxLength: jsonschema.Ptr(reminder.MaxName), Description: "Name of the child.",
	}
	session := object([]string{"id"}, map[string]*jsonschema.Schema{
		"id":         name("Name of the session."),
		"turn":       whole(0, reminder.MaxTurn, "How many turns have ended; default 0."),
		"turn_built": flag("The reminders of this turn were asked for; default false."),
		"reminders":  {Type: "array", Items: ref("pendingReminder"), MaxItems: jsonschema.Ptr(reminder.MaxPending), Description: "The pending ones, in the order of injection."},
	})
	op := func(word string, required []string, more map[string]*jsonschema.Schema) *jsonschema.Schema {
		properties := map[string]*jsonschema.Schema{"op": {Enum: []any{word}}}
		for key, value := range more {
			properties[key] = value
		}
		return object(append([]string{"op"}, required...), properties)
	}
	clear := op("clear", nil, map[string]*jsonschema.Schema{"id": name("Its id."), "tag": name("A tag of it."), "dedupe_key": name("Its key.")})
	clear.AnyOf = []*jsonschema.Schema{given("id"), given("tag"), given("dedupe_key")}
	defs["reminderOp"] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		op("inject", []string{"reminder"}, map[string]*jsonschema.Schema{"reminder": ref("reminder")}),
		clear, op("turn", nil, nil), op("turn_end", nil, nil), op("compact", nil, nil),
		op("fork", []string{"child"}, map[string]*jsonschema.Schema{"child": sessionName}),
	}}
	placement := word(enumOf[reminder.Placement](), "Where the reminders of a turn go; default turn for a model with a prompt cache, else system.")
	defs["reminders"] = object([]string{"session"}, map[string]*jsonschema.Schema{
		"session":   session,
		"ops":       {Type: "array", Items: ref("reminderOp"), Description: "What is done, in order."},
		"placement": placement,
		"caps":      {Type: "array", Items: str(), Description: "The capabilities that are set; those of the model decide the default placement and the native form."},
	})
}

// The schema takes the requests that the reader takes, and refuses those that it
// refuses for a reason that a schema can tell.
func TestRemindersSchemaAgreesWithReader(t *testing.T) {
	schema := compiled(t, requestSchema, "#/$defs/reminders")
	taken, refused := 0, 0
	requests := archive.Cases{Folder: "../../reminder/testdata"}
	requests.Each(t, func(name string, files map[string]string) {
		data, file := []byte(files["request.json"]), "request.json"
		n, err := strict.JSON(file, data, cento.DefaultLimits())
		if err != nil {
			return // no value to ask about
		}
		_, readErr := ParseReminders(file, data, cento.Limits{})
		schemaErr := validate(t, schema, n)
		if (readErr == nil) != (schemaErr == nil) {
			t.Errorf("%s: the reader says %v, the schema %v", name, readErr, schemaErr)
		}
		if readErr == nil {
			taken++
		} else {
			refused++
		}
	})
	if taken < 10 || refused < 10 {
		t.Errorf("%d requests that are taken and %d that are refused", taken, refused)
	}
}

// The schema has the fields of the reader.
func TestRemindersSchemaIsComplete(t *testing.T) {
	schema := compiled(t, requestSchema, "#/$defs/reminders")
	all, err := reminder.Session{ID: "s", TurnBuilt: true, Reminders: []reminder.Reminder{{
		ID: "a", Body: "b", Tags: []string{"t"}, DedupeKey: "k", TTLTurns: 1, FiredAtTurn: new(int64), OriginatingSession: "o",
	}}}.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strict.JSON("s", []byte(`{"session": `+string(all)+`}`), cento.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, schema, n); err != nil {
		t.Error(err)
	}
	if got := reflect.TypeFor[reminder.Reminder]().NumField(); got != 14 {
		t.Errorf("a reminder has %d fields, and the schema knows 14", got)
	}
}
