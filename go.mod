module github.com/ashlar-go/ashlar

go 1.26.0

require (
	capnproto.org/go/capnp/v3 v3.1.0-alpha.2
	github.com/alecthomas/kong v1.17.0
	github.com/colega/zeropool v0.0.0-20230505084239-6fb4a4f75381
	github.com/edsrzf/mmap-go v1.2.0
	github.com/google/flatbuffers v25.12.19+incompatible
	github.com/google/go-cmp v0.7.0
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db
	github.com/rivo/uniseg v0.4.7
	github.com/schollz/progressbar/v3 v3.19.1
	golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da
	golang.org/x/sync v0.7.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
	pgregory.net/rapid v1.3.0
)

require github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
