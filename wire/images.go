package wire

import (
	"fmt"
	"slices"
)

// checkImages tells of images in the conversation that the model doesn't see.
func (b *builder) checkImages() {
	if sees := b.model.Vision; sees == nil || *sees || b.form == Text || b.form == JSON {
		return
	}
	first, n := 0, 0
	for i := range b.r.Messages {
		if raw := b.r.Messages[i].Raw; len(raw) > 0 && b.pictures(raw) {
			if n++; n == 1 {
				first = i + 1
			}
		}
	}
	switch {
	case n == 1:
		b.lose(Loss{Code: CodeNoVision, Message: fmt.Sprintf("message %d has an image, and %s takes none: the request is refused, or it doesn't see it", first, b.asked())})
	case n > 1:
		b.lose(Loss{Code: CodeNoVision, Message: fmt.Sprintf("%d messages have images, the first of them message %d, and %s takes none: the request is refused, or it doesn't see them", n, first, b.asked())})
	}
}

// pictures reports whether a message has an image: as a part, or in what a tool gave back.
func (b *builder) pictures(raw []byte) bool {
	c := cutter{form: b.form}
	c.cut(raw, deepestData)
	return slices.Contains(c.kinds, imageData)
}
