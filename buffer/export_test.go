package buffer

// Poisons says that this is a build with the tag ashlar_debug.
const Poisons = poisons
