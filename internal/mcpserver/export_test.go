package mcpserver

// Hears reports whether the client is told when a text becomes another one.
func (s *Server) Hears(uri string) bool {
	s.watching.mu.Lock()
	defer s.watching.mu.Unlock()
	return s.watching.texts[uri] != ""
}
