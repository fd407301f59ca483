package consent

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/strict"
)

// What this file promises: a manifest that somebody else wrote runs no program
// and opens no connection until the user has seen what it asks for and agreed to
// exactly that. The agreement is kept in the user's folder, where no project
// reaches, as the project's root and the digest of the part of the manifest.

// TrustRequired: a manifest asks to run a program or to open a connection, and
// nobody agreed to that.
const TrustRequired cento.ErrorCode = "trust.required"

// ApprovalsName is the name of the file of the user's approvals, in the user's
// folder.
const ApprovalsName = "approvals.json"

// Part is a part of a manifest that runs a program or opens a connection, so
// that somebody has to agree to it first.
type Part struct {
	// Name is the key of the manifest, such as tools.mcp.
	Name string `json:"part"`
	// SHA256 is the digest of what stands there, in lower-case hex: that of its
	// JSON form, so that comments and line ends don't count.
	SHA256 string `json:"sha256"`
	// Asks is what it asks for.
	Asks []Ask `json:"asks"`
}

// Ask is one thing that a part asks for.
type Ask struct {
	// Text tells what would be run or reached.
	Text     string         `json:"text"`
	Position cento.Position `json:"position"`
}

// NewPart is the part of that name with the digest of what it says.
func NewPart(name string, says []byte, asks ...Ask) Part {
	sum := sha256.Sum256(says)
	return Part{Name: name, SHA256: hex.EncodeToString(sum[:]), Asks: asks}
}

// Same reports whether two parts of manifests are one: whether they ask for the
// same under the same key.
func (x Part) Same(y Part) bool { return x.Name == y.Name && x.SHA256 == y.SHA256 }

// Approval is one agreement of the user.
type Approval struct {
	// Root is the folder of the manifest, absolute, links resolved.
	Root   string `json:"root"`
	Part   string `json:"part"`
	SHA256 string `json:"sha256"`
}

// Approvals is what the user agreed to, in all projects.
type Approvals struct {
	// List is sorted, without repetitions.
	List []Approval
}

const approvalsVersion = 1

// maxApprovals is the largest file of approvals that is read, in bytes.
const maxApprovals = 8 << 20

// ParseApprovals reads the file of approvals. The name is that of its
// positions.
func ParseApprovals(name, text string) (*Approvals, error) {
	limits := cento.DefaultLimits()
	limits.File = maxApprovals
	root, err := strict.JSON(name, []byte(text), limits)
	if err != nil {
		return nil, err
	}
	var file struct {
		Version   strict.Located[int] `json:"version"`
		Approvals []struct {
			strict.At
			Root   string `json:"root"`
			Part   string `json:"part"`
			SHA256 string `json:"sha256"`
		} `json:"approvals"`
	}
	var d strict.Decoder
	d.Decode(root, &file)
	if v := file.Version; !d.Failed() && v.Value != approvalsVersion {
		d.Fail(v.Position(), strict.WrongValue, "version %d is not known", v.Value).Hint = fmt.Sprintf("this program reads version %d", approvalsVersion)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	a := &Approvals{}
	for _, x := range file.Approvals {
		a.List = append(a.List, Approval{Root: x.Root, Part: x.Part, SHA256: x.SHA256})
	}
	a.sort()
	return a, nil
}

func (a *Approvals) sort() {
	slices.SortFunc(a.List, func(x, y Approval) int {
		return cmp.Or(cmp.Compare(x.Root, y.Root), cmp.Compare(x.Part, y.Part), cmp.Compare(x.SHA256, y.SHA256))
	})
	a.List = slices.Compact(a.List)
}

// String gives the file's text: the same bytes for the same approvals.
func (a *Approvals) String() string {
	list := a.List
	if list == nil {
		list = []Approval{}
	}
	b, err := json.MarshalIndent(struct {
		Version   int        `json:"version"`
		Approvals []Approval `json:"approvals"`
	}{approvalsVersion, list}, "", "  ")
	if err != nil {
		panic("consent: approvals can't be written: " + err.Error())
	}
	return string(b) + "\n"
}

// ApprovalState tells how a part is beside what the user agreed to.
type ApprovalState string

// The states of a part.
const (
	Approved    ApprovalState = "approved"
	NotApproved ApprovalState = "not approved"
	// ChangedSince: the user agreed to what stood there before.
	ChangedSince ApprovalState = "changed since it was approved"
)

// State tells whether the user agreed to a part of the project at a root.
func (a *Approvals) State(root string, x Part) ApprovalState {
	state := NotApproved
	for _, y := range a.List {
		if y.Root != root || y.Part != x.Name {
			continue
		}
		if y.SHA256 == x.SHA256 {
			return Approved
		}
		state = ChangedSince
	}
	return state
}

// With returns the approvals in which exactly these parts of the project at a
// root are approved: what stood there before and was agreed to is not any more.
func (a *Approvals) With(root string, parts []Part) *Approvals {
	out := a.Without(root)
	for _, x := range parts {
		out.List = append(out.List, Approval{Root: root, Part: x.Name, SHA256: x.SHA256})
	}
	out.sort()
	return out
}

// Without returns the approvals without those of the project at a root.
func (a *Approvals) Without(root string) *Approvals {
	return &Approvals{List: slices.DeleteFunc(slices.Clone(a.List), func(x Approval) bool { return x.Root == root })}
}
