// Package store keeps what was handed out: every prompt that a session got, with what
// it was made of, and the sessions themselves. It answers "which prompts contained this
// sentence, when, why" and gives any of them back. It makes no prompt.
//
//	s, err := sqlite.Open(ctx, "agent.db", store.Options{})
//	_, err = s.Append(ctx, "s1", store.Draft{Prompt: prompt, Input: in, Label: "turn 1"})
//	found, err := s.Search(ctx, store.SearchQuery{Text: "small steps"})
//	text, ok, err := s.Text(ctx, "s1", 1)
//
// # What is stored
//
// A record is one prompt: the digest of its text, the digest of its
// [cento.Input], and for every fragment its decision, its place and the digest
// of its text. The records of a session form a chain: each one's hash covers the
// one before. Texts lie beside the records, each distinct one once, so that a
// prompt of which three fragments changed costs three fragments.
//
// # Promises
//
//   - Acknowledged means durable: [Store.Commit] returns after the transaction
//     is on disk. Concurrent commits share one transaction, not one another's
//     fate.
//   - A transition happens as a whole or not at all, and of two writers that
//     expect the same version one wins and the other gets [Conflict].
//   - [Store.Verify] finds any change, drop, swap or repetition of records, and a
//     tail that was cut off.
//   - A text that was redacted is gone; the chain stays valid, since it holds
//     digests only.
//
// # Where
//
// A store is opened by store/sqlite in a file of the embedded database SQLite, or by
// store/postgres on a PostgreSQL server, which several machines can share; this
// package links neither. Both give the same answers to the same history. A [Store]
// may be used by any number of goroutines.
package store
