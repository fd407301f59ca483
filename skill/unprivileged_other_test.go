//go:build !linux

package skill_test

import "testing"

func unprivileged(_ *testing.T, _ string, run func()) { run() }
