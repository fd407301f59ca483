package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/project"
)

func (c *console) packCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pack",
		Short: "Install packs of prompt files, and hold them to cento.lock",
		Long: `A pack is a folder with a pack.yaml and prompt files, which are $pack/NAME/… in
the project that has it. The lock says what each pack held when somebody agreed to
it; a pack that changed since is not used until somebody agrees again.`,
		Args: c.subcommand,
		RunE: showHelp,
	}
	cmd.AddCommand(c.packAddCommand(), c.packListCommand(), c.packVerifyCommand(), c.packRemoveCommand())
	return cmd
}

// located is the place and the request of a command that reads no prompt.
func (c *console) located(ctx context.Context, f *whatIf) (project.Request, error) {
	req, err := c.request(ctx, f)
	if err == nil {
		c.place, err = project.Locate(req)
	}
	return req, err
}

// registerPlace defines the flags that say which project is meant.
func (f *whatIf) registerPlace(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
	cmd.Flags().StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
}

func (c *console) packAddCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "add DIR",
		Short: "Install the pack in a folder, or agree to one as it is now",
		Long: `Install the pack in DIR: its files are copied to .cento/packs, the manifest names
it, and the lock holds its digest. A pack that lies in the project already is used
where it is; adding it again agrees to what it holds now.`,
		Example: "  cento pack add ../acme-prompts\n  cento pack add .cento/packs/acme",
		Args:    oneArgument("the folder of a pack", "add one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			added, err := app.AddPack(cmd.Context(), c.place, req, args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(added)
			}
			return c.print(func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s %s  %s  %s, sha256 %s\n", app.PrintableLine(added.Name), app.PrintableLine(added.Version),
					app.PrintableLine(added.Path), plural(added.Files, "file"), added.Digest)
				return err
			})
		},
	}
	f.registerPlace(cmd)
	return cmd
}

func (c *console) packListCommand() *cobra.Command {
	return c.packStates("list", "List the installed packs", `List the packs that the manifest names, and those that are locked without a name.`, false)
}

func (c *console) packVerifyCommand() *cobra.Command {
	return c.packStates("verify", "Hold the installed packs to the lock", `Read every pack and compare it with the lock. The exit code is 1 when one can't be
used: it changed, nobody agreed to it, it is missing, or the lock has one that the
manifest doesn't name.`, true)
}

func (c *console) packStates(name, short, long string, verify bool) *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use: name, Short: short, Long: long,
		Example: "  cento pack " + name + "\n  cento pack " + name + " --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			packs, err := app.Packs(cmd.Context(), c.place, req)
			if err != nil {
				return err
			}
			if c.json {
				err = c.printJSON(packsAnswer{packs})
			} else {
				err = c.printPacks(packs)
			}
			for _, x := range packs {
				if err == nil && verify && !x.OK {
					err = errNo
				}
			}
			return err
		},
	}
	f.registerPlace(cmd)
	return cmd
}

func (c *console) printPacks(packs []app.Pack) error {
	var t table
	for _, x := range packs {
		state := cell{text: "ok", paint: green}
		if !x.OK {
			state = cell{text: string(x.Error.Code), paint: red}
		}
		digest := x.Digest
		if len(digest) > 12 {
			digest = digest[:12]
		}
		t.add(cell{text: app.PrintableLine(x.Name)}, cell{text: app.PrintableLine(x.Version)}, cell{text: app.PrintableLine(x.Path)},
			cell{text: strconv.Itoa(x.Files), right: true}, cell{text: digest, paint: dim}, state)
	}
	return c.print(func(w io.Writer) error {
		if len(packs) == 0 {
			_, err := fmt.Fprintln(w, "no pack is installed")
			return err
		}
		if err := t.write(c, w); err != nil {
			return err
		}
		for _, x := range packs {
			if x.OK {
				continue
			}
			fmt.Fprintf(w, "\n%s\n", app.PrintableLine(x.Err.Error()))
			if x.Error.Hint != "" {
				fmt.Fprintf(w, "  hint: %s\n", app.PrintableLine(x.Error.Hint))
			}
		}
		return nil
	})
}

func (c *console) packRemoveCommand() *cobra.Command {
	var f whatIf
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Take a pack out of the project",
		Long: `Take a pack out of the manifest and the lock. Its folder goes too when it lies in
.cento/packs; a pack that lies elsewhere in the project keeps its files.`,
		Example: "  cento pack remove acme",
		Args:    oneArgument("the name of a pack", "remove one at a time"),
		RunE: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			folder, err := app.RemovePack(cmd.Context(), c.place, req, args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(removedPackAnswer{args[0], folder})
			}
			return c.print(func(w io.Writer) error {
				fmt.Fprintf(w, "%s is no longer a pack of this project\n", app.PrintableLine(args[0]))
				if folder != "" {
					fmt.Fprintf(w, "removed %s\n", app.PrintableLine(folder))
				}
				return nil
			})
		},
	}
	f.registerPlace(cmd)
	return cmd
}
