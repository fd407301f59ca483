package cli

import "github.com/spf13/cobra"

// Commands is the command line as a tree, for those who describe it: the
// reference is written from it. It isn't for running; that is [Main].
func Commands() *cobra.Command {
	c := new(console)
	root := c.root()
	c.defineFlags(root, nil)
	return root
}
