package call

// Collected is how often projects were read.
func (k *Kept) Collected() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.collected
}
