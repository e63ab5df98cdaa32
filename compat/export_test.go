package compat

// RaceEnabled says that the race detector looks on.
const RaceEnabled = raceEnabled
