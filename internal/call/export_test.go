package call

// Collected is how often projects were read.
func (k *Kept) Collected() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.collected
}

// WithMost bounds the answers of a stream by another number of bytes than [MostAnswer].
func (o Options) WithMost(bytes int) Options {
	o.most = bytes
	return o
}
