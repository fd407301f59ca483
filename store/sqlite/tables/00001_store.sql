-- +goose Up
-- What concerns the store as a whole. The epoch rises when something is taken
-- out, so that nobody goes on with numbers that they remember.
CREATE TABLE store (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO store (name, value) VALUES ('epoch', 0);

CREATE TABLE session (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent TEXT NOT NULL, project TEXT NOT NULL, version INTEGER NOT NULL, state BLOB,
  created INTEGER NOT NULL, updated INTEGER NOT NULL,
  base_seq INTEGER NOT NULL, base_hash BLOB NOT NULL, head_seq INTEGER NOT NULL, head_hash BLOB NOT NULL
);

-- Times are microseconds since 1970. project is null while it is the session's.
CREATE TABLE record (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL,
  hash BLOB NOT NULL, prompt BLOB, input INTEGER NOT NULL, list INTEGER NOT NULL, label TEXT, project TEXT
);
CREATE UNIQUE INDEX record_chain ON record (session, seq);
CREATE INDEX record_list ON record (list);

-- key: the first four bytes of the SHA-256 of what is packed in data.
CREATE TABLE text (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, base INTEGER, data BLOB NOT NULL);
CREATE INDEX text_key ON text (key);
CREATE VIRTUAL TABLE word USING fts5(words, content='', columnsize=0, detail=none, tokenize='ascii');

-- A fragment as it was decided on. size is null when it was excluded.
CREATE TABLE entry (id INTEGER PRIMARY KEY, text INTEGER NOT NULL, form INTEGER NOT NULL, size INTEGER);
CREATE INDEX entry_text ON entry (text, form);

CREATE TABLE list (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, base INTEGER, data BLOB NOT NULL);
CREATE INDEX list_key ON list (key);
CREATE VIRTUAL TABLE listed USING fts5(entries, content='', columnsize=0, detail=none, tokenize='ascii');

CREATE TABLE input (id INTEGER PRIMARY KEY, key INTEGER NOT NULL, digest BLOB NOT NULL, base INTEGER, data BLOB NOT NULL);
CREATE INDEX input_key ON input (key);

-- Texts that a session keeps besides its records.
CREATE TABLE kept (session INTEGER NOT NULL, text INTEGER NOT NULL, PRIMARY KEY (session, text)) WITHOUT ROWID;

-- What was done under an idempotency key.
CREATE TABLE request (
  session INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, answer BLOB, result TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (session, key)
) WITHOUT ROWID;

-- +goose Down
DROP TABLE request; DROP TABLE kept; DROP TABLE input; DROP TABLE listed; DROP TABLE list; DROP TABLE entry;
DROP TABLE word; DROP TABLE text; DROP TABLE record; DROP TABLE session; DROP TABLE store;
