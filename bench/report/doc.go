// Package report makes one HTML page of files of results: the findings, charts,
// tables of every case, and the measured rows beside figures that others have
// published of the same workloads.
//
// The page needs nothing but itself: it has no script, and its charts are SVG
// whose colours are those of its style sheet, light or dark as the reader's
// system has it. An attribute data-theme="light" or "dark" of its html element
// forces either.
//
// Every ratio is made within one file, round by round. Where several files have
// the cases of a chart or a table, it is drawn from the one that has most of
// them; a table of many libraries takes what that one lacks from the others, and
// says from which. The tables of every case are those of each file.
//
// The figures in the folder published are of other machines and, but for their
// names, of other programs. They stand beside what is measured here, and no
// ratio is made of them.
package report
