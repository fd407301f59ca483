// Package workspace reads what a prompt says about the user's tree: where the project
// begins, what may be read and written there, and the instructions that its people
// wrote for agents. It reads once, before anything is assembled, and gives plain
// values. It enforces no scope; it says which one holds.
//
//	root, err := workspace.FindRoot(disk.Disk{}, cwd, home, nil)
//	found, err := workspace.LoadInstructions(workspace.InstructionsConfig{Root: root.Dir, Cwd: root.Cwd})
//
// The usual path: [FindRoot] from the current folder, [ResolveScope] for the
// boundaries, [LoadInstructions] for AGENTS.md and its
// kin. The texts go into a [cento.Input] and know, byte by byte, the file and
// the line they came from.
//
// The tree is taken for hostile. Files are opened by one package that follows
// no link out of the root and waits on nothing; text is data and never a
// template; a file that can't be used is a record with its reason and a note,
// and never stops a build. Instructions are loaded by a convention, Cento's
// own or that of another client; convention.go has the table of them. Names of
// files and folders are data too: where one is shown in a text, characters that
// could imitate the text around it are written out, see [Visible].
//
// It reads no
// environment, no clock and no user settings: home and configuration folders
// are arguments. Paths in its results are parted by `/` on every system. The
// same tree and arguments give the same result, and values once returned are
// never changed.
package workspace
