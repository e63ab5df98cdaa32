// Command bench measures Ashlar beside FlatBuffers, Cap'n Proto and a memmove of
// the same bytes:
//
//	go run ./bench
//
// takes at most a minute on two cores. It prints tables of what an exchange of
// messages with a second process takes, and of operations within one process
// beside a memmove, then the bounds that Ashlar claims to keep with what was
// measured, and writes every sample to bench-results/quick.txt in the Go
// benchmark format, which benchstat reads:
//
//	go run golang.org/x/perf/cmd/benchstat@latest -col /lib,/way -row /op,/data,/type,/n,/buffer,/refs,/mode bench-results/quick.txt
//	go run golang.org/x/perf/cmd/benchstat@latest -filter '.name:Exchange' -col /link,/lib,/way -row /op,/data,/n,/pace bench-results/quick.txt
//
// A shorter and a longer run, and a part of the cases:
//
//	go run ./bench --profile smoke
//	go run ./bench --profile full --check
//	go run ./bench --select 'op=serialize/data=(STRUCT|MEDIA_CONTENT)'
//
// What a change to Ashlar has made slower, beyond noise, by the ratios of two runs:
//
//	go run ./bench compare before.txt bench-results/quick.txt
//
// One HTML page of files of results, with charts, tables of every case, and what others have published of the same
// workloads beside what was measured:
//
//	go run ./bench report bench-results/full.txt bench/wide/bench-results/wide.txt
//
// The command figures writes the figures of README.md from a file of results. The
// module in bench/wide measures Ashlar beside the serializers that Go programs use
// else: go run . in that folder.
//
// Package exchange says what the cases of the exchange mean, package suite what
// the others do. The same cases run one by one, under the same names, as
//
//	go test -bench 'Objects/op=serialize/data=STRUCT' ./bench
//
// # How it measures
//
// Before a case is timed, its result is compared with the value it should be,
// and its memory is looked at. Cases with the same operation, data and memory
// form a group. A group is measured in rounds: each runs every case once, in an
// order that is shuffled anew, for so many iterations as fill a slice of time.
// A ratio is the median of the ratios of the rounds, so that a machine that
// slows down for a while slows both sides of it; its margin is half of the interval
// in which that median is with a confidence of 95%. Rounds go on until the group's
// share of the profile's time is used up. Allocations are counted apart from
// the timing, garbage is collected before the next case's slice begins, and the
// heap is kept as large as a program of some size has it: collections of a tiny
// one are else most of what an operation takes that allocates.
//
// The exchange is measured in the same way, but for what stands in one line of
// the result file: of a round trip or a handover the median (ns/op) and the 99th
// percentile (p99-ns) of a round's messages, of a stream all messages of a round.
// The tables have the percentiles of all messages of all rounds. Both processes
// need a processor of their own: on a machine with other work to do these figures
// say more of that work than of the links.
//
// With --check a run fails when even its best round misses a claim by more than a
// factor of two: a ratio, never a time.
//
// Ctrl-C ends the measuring; what is done is printed and written.
package main
