//go:build !engine2

package main

var engine2Chapters []chapter
