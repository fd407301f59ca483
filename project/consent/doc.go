// Package consent keeps what people agreed to: which parts of a manifest may run
// programs or open connections, and what the packs and the tool servers of a project
// were when somebody last looked at them. It writes nothing.
//
//	lock, err := consent.ParseLock("cento.lock", text, cento.Limits{})
//	err = lock.RequireServer(server, listing) // what the server lists now is what was agreed to
//
// An approval is of the user and lies in the user's folder, where no project
// reaches: see [Approvals]. The lock is of the project and lies beside its
// manifest, so that everybody who works on it agrees to the same: see [Lock].
// Neither says that something is safe. They say that it is what was agreed to,
// to the byte.
//
// The package compares and prints; it reads only the folders of packs, through
// [OpenInstalled], and writes nothing.
package consent
