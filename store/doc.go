// Package store keeps what was handed out: every prompt that a session got,
// with what it was made of, and the sessions themselves. It answers "which
// prompts contained this sentence, when, why" and gives any of them back.
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
// [Open] takes a path for the embedded SQLite database, or the address of a
// PostgreSQL server, which several machines can share. Both give the same
// answers to the same history. A [Store] may be used by any number of
// goroutines.
package store
