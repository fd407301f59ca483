//go:build !linux

package workspace_test

import "testing"

func unprivileged(_ *testing.T, _ string, run func()) { run() }
