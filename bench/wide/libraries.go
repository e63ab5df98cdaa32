package main

import (
	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/wide/arrow"
	"github.com/ashlar-go/ashlar/bench/wide/avro"
	"github.com/ashlar-go/ashlar/bench/wide/bson"
	"github.com/ashlar-go/ashlar/bench/wide/cbor"
	"github.com/ashlar-go/ashlar/bench/wide/gob"
	"github.com/ashlar-go/ashlar/bench/wide/json"
	"github.com/ashlar-go/ashlar/bench/wide/msgp"
	"github.com/ashlar-go/ashlar/bench/wide/msgpack"
	"github.com/ashlar-go/ashlar/bench/wide/mus"
	"github.com/ashlar-go/ashlar/bench/wide/protobuf"
	"github.com/ashlar-go/ashlar/bench/wide/thrift"
	"github.com/ashlar-go/ashlar/bench/wide/xml"
	"github.com/ashlar-go/ashlar/bench/wide/yaml"
)

// A library is one of the field.
type library struct {
	name  string
	add   func(*suite.Foreign)
	blank map[string]string // why a workload is left out
}

var libraries = []library{
	{"arrow", arrow.Add, arrow.Blank},
	{"avro", avro.Add, avro.Blank},
	{"bson", bson.Add, bson.Blank},
	{"cbor", cbor.Add, cbor.Blank},
	{"gob", gob.Add, gob.Blank},
	{"json", json.Add, json.Blank},
	{"msgp", msgp.Add, msgp.Blank},
	{"msgpack", msgpack.Add, msgpack.Blank},
	{"mus", mus.Add, mus.Blank},
	{"protobuf", protobuf.Add, protobuf.Blank},
	{"thrift-binary", thrift.AddBinary, thrift.Blank},
	{"thrift-compact", thrift.AddCompact, thrift.Blank},
	{"xml", xml.Add, xml.Blank},
	{"yaml", yaml.Add, yaml.Blank},
}

// cases are those of all libraries.
func cases() []suite.Case {
	var f suite.Foreign
	for _, l := range libraries {
		l.add(&f)
	}
	return f.Cases()
}
