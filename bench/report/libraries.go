package report

import (
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// Why a measured cell of a comparison by library is a dash.
var libraryReasons = []string{
	"A dash among the measured figures: these files have no such case. Neither reuse nor, of some libraries, alias is measured there and back; " +
		"the rivals’ alias reads what either of their other ways has written; +dfl is known to runs of bench/wide alone. " +
		"A library that is not here at all cannot express the workload, and its package in bench/wide says why.",
	"A row that is published alone is of a library that has no counterpart in Go, or of one that was not measured in these files.",
}

// jvmSerializers are the columns of jvm-serializers.
func jvmSerializers(runs []*run) (comparison, error) {
	p, err := readPublished("jvm-serializers.tsv")
	if err != nil {
		return comparison{}, err
	}
	c := comparison{ID: "jvm-serializers", Title: "jvm-serializers: MEDIA_CONTENT", Source: p.Source, Notes: []string{
		"create is making the value, which is the same for every measured row: each serializes one Go struct. " +
			"total is serialize and deserialize one after the other, as in the source. ÷ Ashlar is there and back as one operation, round by round.",
	}}
	var create *measure.Result
	for _, r := range runs {
		for _, res := range r.Results {
			if res.Op == suite.Create && res.Data == suite.MediaContent && create == nil {
				create = r.Find(res.Name)
			}
		}
	}
	s := sheet{
		title: suite.MediaContent, published: p, label: "library",
		columns:  []string{"create_ns", "ser_ns", "deser_ns", "total_ns", "size", "size_dfl"},
		heads:    []string{"create", "ser", "deser", "total", "size", "+dfl"},
		measured: []string{"create", "ser", "deser", "total", "size", "+dfl", "÷ Ashlar"},
		cells: func(c *contender) []cell {
			return []cell{of(create, nsCell), of(c.serialize, nsCell), of(c.deserialize, nsCell), c.sum(), c.size(), c.deflated(), c.againstAshlar()}
		},
		same: map[string]string{
			"protobuf known": "protobuf", "thrift-binary known": "thrift", "thrift-compact known": "thrift-compact",
			"msgpack known": "msgpack-manual", "msgpack described": "msgpack-databind", "msgp known": "msgpack-manual", "msgp described": "msgpack-databind",
			"cbor known": "cbor/jackson/manual", "cbor described": "cbor/jackson/databind", "avro known": "avro-specific",
			"json described": "json/jackson/databind", "xml described": "xml/jackson/databind", "yaml described": "yaml/jackson/databind",
			"bson described": "bson/jackson/databind",
		},
	}
	return c.with(runs, suite.MediaContent, s, runWide)
}

// with adds the table of a workload.
func (c comparison) with(runs []*run, data string, s sheet, command string) (comparison, error) {
	all := contenders(runs, data)
	if len(all) == 0 {
		c.Missing = command
	}
	t, err := s.lay(all)
	if err != nil {
		return c, err
	}
	t.Reasons = libraryReasons
	c.Tables = append(c.Tables, t)
	return c, nil
}

// cars are the columns of the shootout of JSON, Smile and Kryo.
func cars(runs []*run) (comparison, error) {
	p, err := readPublished("car.tsv")
	if err != nil {
		return comparison{}, err
	}
	c := comparison{ID: "cars", Title: "The car shootout: CAR and CAR_LARGE", Source: p.Source, Notes: []string{
		"both is there and back as one operation, measured apart from its halves, as in the source.",
	}}
	for _, data := range []string{suite.Car, suite.CarLarge} {
		s := sheet{
			title: data, published: p.where("workload", data), label: "library",
			columns:  []string{"marshal_ns", "unmarshal_ns", "both_ns", "bytes"},
			heads:    []string{"marshal", "unmarshal", "both", "bytes"},
			measured: []string{"marshal", "unmarshal", "both", "bytes", "÷ Ashlar"},
			cells: func(c *contender) []cell {
				return []cell{of(c.serialize, nsCell), of(c.deserialize, nsCell), of(c.both, nsCell), c.size(), c.againstAshlar()}
			},
			same: map[string]string{"json described": "JSON"},
		}
		if c, err = c.with(runs, data, s, runWide); err != nil {
			return c, err
		}
	}
	return c, nil
}

// complexClass are the columns of universal-serializer's benchmark.
func complexClass(runs []*run) (comparison, error) {
	p, err := readPublished("complex.tsv")
	if err != nil {
		return comparison{}, err
	}
	c := comparison{ID: "complex", Title: "universal-serializer: COMPLEX", Source: p.Source, Notes: []string{
		"Round trips a second: the inverse of the median of serialize and deserialize as one operation.",
	}}
	s := sheet{
		title: suite.Complex, published: p, label: "library",
		columns:  []string{"ops_s", "plus_minus", "bytes"},
		heads:    []string{"round trips/s", "±", "bytes"},
		measured: []string{"round trips/s", "bytes", "÷ Ashlar"},
		cells: func(c *contender) []cell {
			return []cell{of(c.both, rateCell), c.size(), c.againstAshlar()}
		},
		same: map[string]string{
			"protobuf known": "Protobuf", "thrift-binary known": "ThriftBinary", "thrift-compact known": "ThriftCompact",
			"json described": "Json", "avro known": "AvroBinary", "xml described": "Xml",
		},
	}
	return c.with(runs, suite.Complex, s, runWide)
}

// television are the columns of both tables of deep copies of television programmes.
func television(runs []*run) (comparison, error) {
	p, err := readPublished("tv.tsv")
	if err != nil {
		return comparison{}, err
	}
	c := comparison{ID: "television", Title: "Deep copies of television programmes: TV and TV_CATALOGUE", Source: p.Source, Notes: []string{
		"A copy is a round trip of one programme. The bytes of the first table are those of a catalogue of 2,000.",
	}}
	catalogue := contenders(runs, suite.TVCatalogue)
	catalogueSize := func(c *contender) cell {
		for _, o := range catalogue {
			if o.lib == c.lib && o.way == c.way {
				return o.size()
			}
		}
		return blank
	}
	for _, table := range []struct {
		name, title, bytes string
		size               func(*contender) cell
	}{
		{"catalogue", "Bytes of a catalogue", "bytes of 2,000", catalogueSize},
		{"programme", "Bytes of a programme", "bytes of one", (*contender).size},
	} {
		s := sheet{
			title: table.title, published: p.where("table", table.name), label: "library",
			columns:  []string{"copies_s", "bytes"},
			heads:    []string{"copies/s", table.bytes},
			measured: []string{"copies/s", table.bytes, "÷ Ashlar"},
			cells: func(c *contender) []cell {
				return []cell{of(c.both, rateCell), table.size(c), c.againstAshlar()}
			},
			same: map[string]string{"json described": "Jackson JSON", "xml described": "XStream XML"},
		}
		if c, err = c.with(runs, suite.TV, s, runWide); err != nil {
			return c, err
		}
	}
	return c, nil
}
