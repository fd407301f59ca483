package cli

import (
	"context"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cento-dev/cento/internal/app"
	"github.com/cento-dev/cento/internal/terminal"
)

func (c *console) packCommand() *command {
	cmd := &command{
		use:   "pack",
		short: "Install packs of prompt files, and hold them to cento.lock",
		long: `A pack is a folder with a pack.yaml and prompt files, which are $pack/NAME/… in
the project that has it. The lock says what each pack held when somebody agreed to
it; a pack that changed since is not used until somebody agrees again.`,
		args: c.subcommand,
		run:  showHelp,
	}
	cmd.below = []*command{c.packAddCommand(), c.packListCommand(), c.packVerifyCommand(), c.packRemoveCommand()}
	return cmd
}

// located is the place and the request of a command that reads no prompt.
func (c *console) located(ctx context.Context, f *whatIf) (app.Request, error) {
	req, err := c.request(ctx, f)
	if err != nil {
		return req, err
	}
	return req, c.locate(req)
}

// registerPlace defines the flags that say which project is meant.
func (f *whatIf) registerPlace(cmd *command) {
	cmd.with(func(fl *flags) {
		fl.StringVar(&f.cwd, "cwd", "", "work as if started in `DIR`")
		fl.StringVar(&f.file, "file", "", "read the manifest `FILE` instead of the nearest cento.yaml")
	})
}

func (c *console) packAddCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "add DIR",
		short: "Install the pack in a folder, or agree to one as it is now",
		long: `Install the pack in DIR: its files are copied to .cento/packs, the manifest names
it, and the lock holds its digest. A pack that lies in the project already is used
where it is; adding it again agrees to what it holds now.`,
		examples: "  cento pack add ../acme-prompts\n  cento pack add .cento/packs/acme",
		args:     oneArgument("the folder of a pack", "add one at a time"),
		answers:  answer[app.AddedPack](),
		run: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			added, err := app.AddPack(cmd.Context(), c.site, req, args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(added)
			}
			return c.print(func(w *terminal.Writer) {
				w.Printf("%s %s  %s  %s, sha256 %s\n", added.Name, added.Version,
					added.Path, plural(added.Files, "file"), added.Digest)
			})
		},
	}
	f.registerPlace(cmd)
	return cmd
}

func (c *console) packListCommand() *command {
	const long = `List the packs that the manifest names, and those that are locked without a name.`
	return c.packsCommand("list", "List the installed packs", long, func(packs []app.Pack) error {
		if len(packs) == 0 {
			c.err.Say("no pack is installed")
		}
		return c.tellPacks(packs)
	})
}

func (c *console) packVerifyCommand() *command {
	const long = `Read every pack and compare it with the lock. The exit code is 1 when one can't be
used: it changed, nobody agreed to it, it is missing, or the lock has one that the
manifest doesn't name.`
	return c.packsCommand("verify", "Hold the installed packs to the lock", long, func(packs []app.Pack) error {
		if len(packs) == 0 && !c.json {
			return c.print(func(w *terminal.Writer) { w.Printf("no pack is installed\n") })
		}
		if err := c.tellPacks(packs); err != nil {
			return err
		}
		if slices.ContainsFunc(packs, func(x app.Pack) bool { return !x.OK }) {
			return errNo
		}
		return nil
	})
}

// packsCommand is a command that reads the packs of a project and tells of them.
func (c *console) packsCommand(name, short, long string, tell func([]app.Pack) error) *command {
	var f whatIf
	cmd := &command{
		use: name, short: short, long: long,
		examples: "  cento pack " + name + "\n  cento pack " + name + " --json",
		args:     noArguments,
		answers:  answer[packsAnswer](),
		run: func(cmd *cobra.Command, _ []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			packs, err := app.Packs(cmd.Context(), c.site, req)
			if err != nil {
				return err
			}
			return tell(packs)
		},
	}
	f.registerPlace(cmd)
	return cmd
}

func (c *console) tellPacks(packs []app.Pack) error {
	if c.json {
		return c.printJSON(packsAnswer{packs})
	}
	var t table
	for _, x := range packs {
		state := cell{Text: "ok", Paint: green}
		if !x.OK {
			state = cell{Text: string(x.Error.Code), Paint: red}
		}
		digest := x.Digest
		if len(digest) > 12 {
			digest = digest[:12]
		}
		t.Add(cell{Text: x.Name}, cell{Text: x.Version}, cell{Text: x.Path},
			cell{Text: strconv.Itoa(x.Files), Right: true}, cell{Text: digest, Paint: dim}, state)
	}
	return c.print(func(w *terminal.Writer) {
		w.Table(&t)
		for _, x := range packs {
			if x.OK {
				continue
			}
			w.Printf("\n%s\n", x.Err.Error())
			w.HintAt("  ", x.Error.Hint)
		}
	})
}

func (c *console) packRemoveCommand() *command {
	var f whatIf
	cmd := &command{
		use:   "remove NAME",
		short: "Take a pack out of the project",
		long: `Take a pack out of the manifest and the lock. Its folder goes too when it lies in
.cento/packs; a pack that lies elsewhere in the project keeps its files.`,
		examples: "  cento pack remove acme",
		args:     oneListed("the name of a pack", "remove one at a time", "cento pack"),
		answers:  answer[removedPackAnswer](),
		run: func(cmd *cobra.Command, args []string) error {
			req, err := c.located(cmd.Context(), &f)
			if err != nil {
				return err
			}
			folder, err := app.RemovePack(cmd.Context(), c.site, req, args[0])
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(removedPackAnswer{args[0], folder})
			}
			return c.print(func(w *terminal.Writer) {
				w.Printf("%s is no longer a pack of this project\n", args[0])
				if folder != "" {
					w.Printf("removed %s\n", folder)
				}
			})
		},
	}
	f.registerPlace(cmd)
	return cmd
}
