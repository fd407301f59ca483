package manifest

// AppendYAML appends the manifest as it is written, with a target laid on it if
// it is one, as a line of YAML. [Parse] reads it back as the same.
func (m *Manifest) AppendYAML(dst []byte) []byte {
	if m.root == nil {
		return dst
	}
	return m.root.AppendYAML(dst)
}
