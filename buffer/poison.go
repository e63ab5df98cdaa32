package buffer

// poisonByte is no text, and large as a length or a number.
const poisonByte = 0xDB

// poison fills memory that was given up, in a debug build.
func poison(p []byte) {
	for i := range p {
		p[i] = poisonByte
	}
}
