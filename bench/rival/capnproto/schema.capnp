# The workloads of package workload in Cap'n Proto's schema language.
#
# Structs named as the workloads are what the documentation would have you
# write, a union with Void where a number may be absent. Those that end in Expert
# are an expert's: pads keep the compiler from moving later fields into the gaps,
# so that their data sections are laid out as Go's structs. What may be absent has
# a bit beside the numbers, as package packed lays them out, and booleans that are
# to be viewed are bytes.

using Go = import "/go.capnp";
@0xd3a4c1f08b5e7a91;
$Go.package("cps");
$Go.import("github.com/ashlar-go/ashlar/bench/rival/capnproto/cps");

struct Arrays {
  booleans @0 :List(Bool);
  bytes @1 :List(Int8);
  ints @2 :List(Int32);
  longs @3 :List(Int64);
  doubles @4 :List(Float64);
}

struct Buffers {
  buffers @0 :List(Data);
}

struct Struct {
  f1 @0 :Int32;
  f2 @1 :Int64;
  f3 @2 :Float32;
  f4 @3 :Float64;
  f5 @4 :Int32;
  f6 @5 :Int64;
  f7 @6 :Float32;
  f8 @7 :Float64;
  f9 @8 :Int32;
  f10 @9 :Int64;
  f11 @10 :Float32;
  f12 @11 :Float64;
  f13 @12 :Int32;
  f14 @13 :Int64;
  f15 @14 :Float32;
  f16 @15 :Float64;
  f17 @16 :Int32;
  f18 @17 :Int64;
  f19 @18 :Float32;
  f20 @19 :Float64;
  f21 @20 :Int32;
  f22 @21 :Int64;
  f23 @22 :Float32;
  f24 @23 :Float64;
  f25 @24 :Int32;
  f26 @25 :Int64;
  f27 @26 :Float32;
  f28 @27 :Float64;
  f29 @28 :Int32;
  f30 @29 :Int64;
  f31 @30 :Float32;
  f32 @31 :Float64;
  f33 @32 :Int32;
  f34 @33 :Int64;
  f35 @34 :Float32;
  f36 @35 :Float64;
  f37 @36 :Int32;
  f38 @37 :Int64;
  f39 @38 :Float32;
  f40 @39 :Float64;
  f41 @40 :Int32;
  f42 @41 :Int64;
  f43 @42 :Float32;
  f44 @43 :Float64;
  f45 @44 :Int32;
  f46 @45 :Int64;
  f47 @46 :Float32;
  f48 @47 :Float64;
  f49 @48 :Int32;
  f50 @49 :Int64;
  f51 @50 :Float32;
  f52 @51 :Float64;
  f53 @52 :Int32;
  f54 @53 :Int64;
  f55 @54 :Float32;
  f56 @55 :Float64;
  f57 @56 :Int32;
  f58 @57 :Int64;
  f59 @58 :Float32;
  f60 @59 :Float64;
  f61 @60 :Int32;
  f62 @61 :Int64;
  f63 @62 :Float32;
  f64 @63 :Float64;
  f65 @64 :Int32;
  f66 @65 :Int64;
  f67 @66 :Float32;
  f68 @67 :Float64;
  f69 @68 :Int32;
  f70 @69 :Int64;
  f71 @70 :Float32;
  f72 @71 :Float64;
  f73 @72 :Int32;
  f74 @73 :Int64;
  f75 @74 :Float32;
  f76 @75 :Float64;
  f77 @76 :Int32;
  f78 @77 :Int64;
  f79 @78 :Float32;
  f80 @79 :Float64;
  f81 @80 :Int32;
  f82 @81 :Int64;
  f83 @82 :Float32;
  f84 @83 :Float64;
  f85 @84 :Int32;
  f86 @85 :Int64;
  f87 @86 :Float32;
  f88 @87 :Float64;
  f89 @88 :Int32;
  f90 @89 :Int64;
  f91 @90 :Float32;
  f92 @91 :Float64;
  f93 @92 :Int32;
  f94 @93 :Int64;
  f95 @94 :Float32;
  f96 @95 :Float64;
  f97 @96 :Int32;
  f98 @97 :Int64;
  f99 @98 :Float32;
  f100 @99 :Float64;
}

struct StructExpert {
  f1 @0 :Int32;
  pad1 @1 :UInt32;
  f2 @2 :Int64;
  f3 @3 :Float32;
  pad3 @4 :UInt32;
  f4 @5 :Float64;
  f5 @6 :Int32;
  pad5 @7 :UInt32;
  f6 @8 :Int64;
  f7 @9 :Float32;
  pad7 @10 :UInt32;
  f8 @11 :Float64;
  f9 @12 :Int32;
  pad9 @13 :UInt32;
  f10 @14 :Int64;
  f11 @15 :Float32;
  pad11 @16 :UInt32;
  f12 @17 :Float64;
  f13 @18 :Int32;
  pad13 @19 :UInt32;
  f14 @20 :Int64;
  f15 @21 :Float32;
  pad15 @22 :UInt32;
  f16 @23 :Float64;
  f17 @24 :Int32;
  pad17 @25 :UInt32;
  f18 @26 :Int64;
  f19 @27 :Float32;
  pad19 @28 :UInt32;
  f20 @29 :Float64;
  f21 @30 :Int32;
  pad21 @31 :UInt32;
  f22 @32 :Int64;
  f23 @33 :Float32;
  pad23 @34 :UInt32;
  f24 @35 :Float64;
  f25 @36 :Int32;
  pad25 @37 :UInt32;
  f26 @38 :Int64;
  f27 @39 :Float32;
  pad27 @40 :UInt32;
  f28 @41 :Float64;
  f29 @42 :Int32;
  pad29 @43 :UInt32;
  f30 @44 :Int64;
  f31 @45 :Float32;
  pad31 @46 :UInt32;
  f32 @47 :Float64;
  f33 @48 :Int32;
  pad33 @49 :UInt32;
  f34 @50 :Int64;
  f35 @51 :Float32;
  pad35 @52 :UInt32;
  f36 @53 :Float64;
  f37 @54 :Int32;
  pad37 @55 :UInt32;
  f38 @56 :Int64;
  f39 @57 :Float32;
  pad39 @58 :UInt32;
  f40 @59 :Float64;
  f41 @60 :Int32;
  pad41 @61 :UInt32;
  f42 @62 :Int64;
  f43 @63 :Float32;
  pad43 @64 :UInt32;
  f44 @65 :Float64;
  f45 @66 :Int32;
  pad45 @67 :UInt32;
  f46 @68 :Int64;
  f47 @69 :Float32;
  pad47 @70 :UInt32;
  f48 @71 :Float64;
  f49 @72 :Int32;
  pad49 @73 :UInt32;
  f50 @74 :Int64;
  f51 @75 :Float32;
  pad51 @76 :UInt32;
  f52 @77 :Float64;
  f53 @78 :Int32;
  pad53 @79 :UInt32;
  f54 @80 :Int64;
  f55 @81 :Float32;
  pad55 @82 :UInt32;
  f56 @83 :Float64;
  f57 @84 :Int32;
  pad57 @85 :UInt32;
  f58 @86 :Int64;
  f59 @87 :Float32;
  pad59 @88 :UInt32;
  f60 @89 :Float64;
  f61 @90 :Int32;
  pad61 @91 :UInt32;
  f62 @92 :Int64;
  f63 @93 :Float32;
  pad63 @94 :UInt32;
  f64 @95 :Float64;
  f65 @96 :Int32;
  pad65 @97 :UInt32;
  f66 @98 :Int64;
  f67 @99 :Float32;
  pad67 @100 :UInt32;
  f68 @101 :Float64;
  f69 @102 :Int32;
  pad69 @103 :UInt32;
  f70 @104 :Int64;
  f71 @105 :Float32;
  pad71 @106 :UInt32;
  f72 @107 :Float64;
  f73 @108 :Int32;
  pad73 @109 :UInt32;
  f74 @110 :Int64;
  f75 @111 :Float32;
  pad75 @112 :UInt32;
  f76 @113 :Float64;
  f77 @114 :Int32;
  pad77 @115 :UInt32;
  f78 @116 :Int64;
  f79 @117 :Float32;
  pad79 @118 :UInt32;
  f80 @119 :Float64;
  f81 @120 :Int32;
  pad81 @121 :UInt32;
  f82 @122 :Int64;
  f83 @123 :Float32;
  pad83 @124 :UInt32;
  f84 @125 :Float64;
  f85 @126 :Int32;
  pad85 @127 :UInt32;
  f86 @128 :Int64;
  f87 @129 :Float32;
  pad87 @130 :UInt32;
  f88 @131 :Float64;
  f89 @132 :Int32;
  pad89 @133 :UInt32;
  f90 @134 :Int64;
  f91 @135 :Float32;
  pad91 @136 :UInt32;
  f92 @137 :Float64;
  f93 @138 :Int32;
  pad93 @139 :UInt32;
  f94 @140 :Int64;
  f95 @141 :Float32;
  pad95 @142 :UInt32;
  f96 @143 :Float64;
  f97 @144 :Int32;
  pad97 @145 :UInt32;
  f98 @146 :Int64;
  f99 @147 :Float32;
  pad99 @148 :UInt32;
  f100 @149 :Float64;
}

enum Player { java @0; flash @1; }
enum Size { small @0; large @1; }

struct Media {
  uri @0 :Text;
  title @1 :Text;
  width @2 :Int32;
  height @3 :Int32;
  format @4 :Text;
  duration @5 :Int64;
  size @6 :Int64;
  bitrate @7 :Int32;
  hasBitrate @8 :Bool;
  persons @9 :List(Text);
  player @10 :Player;
  copyright @11 :Text;
}

struct Image {
  uri @0 :Text;
  title @1 :Text;
  width @2 :Int32;
  height @3 :Int32;
  size @4 :Size;
  media @5 :Media;
}

struct MediaContent {
  media @0 :Media;
  images @1 :List(Image);
}

struct Struct2 {
  f1 :union { none @0 :Void; some @1 :Int32; }
  f2 :union { none @2 :Void; some @3 :Int64; }
  f3 :union { none @4 :Void; some @5 :Float32; }
  f4 :union { none @6 :Void; some @7 :Float64; }
  f5 :union { none @8 :Void; some @9 :Int32; }
  f6 :union { none @10 :Void; some @11 :Int64; }
  f7 :union { none @12 :Void; some @13 :Float32; }
  f8 :union { none @14 :Void; some @15 :Float64; }
  f9 :union { none @16 :Void; some @17 :Int32; }
  f10 :union { none @18 :Void; some @19 :Int64; }
  f11 :union { none @20 :Void; some @21 :Float32; }
  f12 :union { none @22 :Void; some @23 :Float64; }
  f13 :union { none @24 :Void; some @25 :Int32; }
  f14 :union { none @26 :Void; some @27 :Int64; }
  f15 :union { none @28 :Void; some @29 :Float32; }
  f16 :union { none @30 :Void; some @31 :Float64; }
  f17 :union { none @32 :Void; some @33 :Int32; }
  f18 :union { none @34 :Void; some @35 :Int64; }
  f19 :union { none @36 :Void; some @37 :Float32; }
  f20 :union { none @38 :Void; some @39 :Float64; }
  f21 :union { none @40 :Void; some @41 :Int32; }
  f22 :union { none @42 :Void; some @43 :Int64; }
  f23 :union { none @44 :Void; some @45 :Float32; }
  f24 :union { none @46 :Void; some @47 :Float64; }
  f25 :union { none @48 :Void; some @49 :Int32; }
  f26 :union { none @50 :Void; some @51 :Int64; }
  f27 :union { none @52 :Void; some @53 :Float32; }
  f28 :union { none @54 :Void; some @55 :Float64; }
  f29 :union { none @56 :Void; some @57 :Int32; }
  f30 :union { none @58 :Void; some @59 :Int64; }
  f31 :union { none @60 :Void; some @61 :Float32; }
  f32 :union { none @62 :Void; some @63 :Float64; }
  f33 :union { none @64 :Void; some @65 :Int32; }
  f34 :union { none @66 :Void; some @67 :Int64; }
  f35 :union { none @68 :Void; some @69 :Float32; }
  f36 :union { none @70 :Void; some @71 :Float64; }
  f37 :union { none @72 :Void; some @73 :Int32; }
  f38 :union { none @74 :Void; some @75 :Int64; }
  f39 :union { none @76 :Void; some @77 :Float32; }
  f40 :union { none @78 :Void; some @79 :Float64; }
  f41 :union { none @80 :Void; some @81 :Int32; }
  f42 :union { none @82 :Void; some @83 :Int64; }
  f43 :union { none @84 :Void; some @85 :Float32; }
  f44 :union { none @86 :Void; some @87 :Float64; }
  f45 :union { none @88 :Void; some @89 :Int32; }
  f46 :union { none @90 :Void; some @91 :Int64; }
  f47 :union { none @92 :Void; some @93 :Float32; }
  f48 :union { none @94 :Void; some @95 :Float64; }
  f49 :union { none @96 :Void; some @97 :Int32; }
  f50 :union { none @98 :Void; some @99 :Int64; }
  f51 :union { none @100 :Void; some @101 :Float32; }
  f52 :union { none @102 :Void; some @103 :Float64; }
  f53 :union { none @104 :Void; some @105 :Int32; }
  f54 :union { none @106 :Void; some @107 :Int64; }
  f55 :union { none @108 :Void; some @109 :Float32; }
  f56 :union { none @110 :Void; some @111 :Float64; }
  f57 :union { none @112 :Void; some @113 :Int32; }
  f58 :union { none @114 :Void; some @115 :Int64; }
  f59 :union { none @116 :Void; some @117 :Float32; }
  f60 :union { none @118 :Void; some @119 :Float64; }
  f61 :union { none @120 :Void; some @121 :Int32; }
  f62 :union { none @122 :Void; some @123 :Int64; }
  f63 :union { none @124 :Void; some @125 :Float32; }
  f64 :union { none @126 :Void; some @127 :Float64; }
  f65 :union { none @128 :Void; some @129 :Int32; }
  f66 :union { none @130 :Void; some @131 :Int64; }
  f67 :union { none @132 :Void; some @133 :Float32; }
  f68 :union { none @134 :Void; some @135 :Float64; }
  f69 :union { none @136 :Void; some @137 :Int32; }
  f70 :union { none @138 :Void; some @139 :Int64; }
  f71 :union { none @140 :Void; some @141 :Float32; }
  f72 :union { none @142 :Void; some @143 :Float64; }
  f73 :union { none @144 :Void; some @145 :Int32; }
  f74 :union { none @146 :Void; some @147 :Int64; }
  f75 :union { none @148 :Void; some @149 :Float32; }
  f76 :union { none @150 :Void; some @151 :Float64; }
  f77 :union { none @152 :Void; some @153 :Int32; }
  f78 :union { none @154 :Void; some @155 :Int64; }
  f79 :union { none @156 :Void; some @157 :Float32; }
  f80 :union { none @158 :Void; some @159 :Float64; }
  f81 :union { none @160 :Void; some @161 :Int32; }
  f82 :union { none @162 :Void; some @163 :Int64; }
  f83 :union { none @164 :Void; some @165 :Float32; }
  f84 :union { none @166 :Void; some @167 :Float64; }
  f85 :union { none @168 :Void; some @169 :Int32; }
  f86 :union { none @170 :Void; some @171 :Int64; }
  f87 :union { none @172 :Void; some @173 :Float32; }
  f88 :union { none @174 :Void; some @175 :Float64; }
  f89 :union { none @176 :Void; some @177 :Int32; }
  f90 :union { none @178 :Void; some @179 :Int64; }
  f91 :union { none @180 :Void; some @181 :Float32; }
  f92 :union { none @182 :Void; some @183 :Float64; }
  f93 :union { none @184 :Void; some @185 :Int32; }
  f94 :union { none @186 :Void; some @187 :Int64; }
  f95 :union { none @188 :Void; some @189 :Float32; }
  f96 :union { none @190 :Void; some @191 :Float64; }
  f97 :union { none @192 :Void; some @193 :Int32; }
  f98 :union { none @194 :Void; some @195 :Int64; }
  f99 :union { none @196 :Void; some @197 :Float32; }
  f100 :union { none @198 :Void; some @199 :Float64; }
}

struct Struct2Expert {
  presentLow @0 :UInt64;
  presentHigh @1 :UInt64;
  f1 @2 :Int32;
  pad1 @3 :UInt32;
  f2 @4 :Int64;
  f3 @5 :Float32;
  pad3 @6 :UInt32;
  f4 @7 :Float64;
  f5 @8 :Int32;
  pad5 @9 :UInt32;
  f6 @10 :Int64;
  f7 @11 :Float32;
  pad7 @12 :UInt32;
  f8 @13 :Float64;
  f9 @14 :Int32;
  pad9 @15 :UInt32;
  f10 @16 :Int64;
  f11 @17 :Float32;
  pad11 @18 :UInt32;
  f12 @19 :Float64;
  f13 @20 :Int32;
  pad13 @21 :UInt32;
  f14 @22 :Int64;
  f15 @23 :Float32;
  pad15 @24 :UInt32;
  f16 @25 :Float64;
  f17 @26 :Int32;
  pad17 @27 :UInt32;
  f18 @28 :Int64;
  f19 @29 :Float32;
  pad19 @30 :UInt32;
  f20 @31 :Float64;
  f21 @32 :Int32;
  pad21 @33 :UInt32;
  f22 @34 :Int64;
  f23 @35 :Float32;
  pad23 @36 :UInt32;
  f24 @37 :Float64;
  f25 @38 :Int32;
  pad25 @39 :UInt32;
  f26 @40 :Int64;
  f27 @41 :Float32;
  pad27 @42 :UInt32;
  f28 @43 :Float64;
  f29 @44 :Int32;
  pad29 @45 :UInt32;
  f30 @46 :Int64;
  f31 @47 :Float32;
  pad31 @48 :UInt32;
  f32 @49 :Float64;
  f33 @50 :Int32;
  pad33 @51 :UInt32;
  f34 @52 :Int64;
  f35 @53 :Float32;
  pad35 @54 :UInt32;
  f36 @55 :Float64;
  f37 @56 :Int32;
  pad37 @57 :UInt32;
  f38 @58 :Int64;
  f39 @59 :Float32;
  pad39 @60 :UInt32;
  f40 @61 :Float64;
  f41 @62 :Int32;
  pad41 @63 :UInt32;
  f42 @64 :Int64;
  f43 @65 :Float32;
  pad43 @66 :UInt32;
  f44 @67 :Float64;
  f45 @68 :Int32;
  pad45 @69 :UInt32;
  f46 @70 :Int64;
  f47 @71 :Float32;
  pad47 @72 :UInt32;
  f48 @73 :Float64;
  f49 @74 :Int32;
  pad49 @75 :UInt32;
  f50 @76 :Int64;
  f51 @77 :Float32;
  pad51 @78 :UInt32;
  f52 @79 :Float64;
  f53 @80 :Int32;
  pad53 @81 :UInt32;
  f54 @82 :Int64;
  f55 @83 :Float32;
  pad55 @84 :UInt32;
  f56 @85 :Float64;
  f57 @86 :Int32;
  pad57 @87 :UInt32;
  f58 @88 :Int64;
  f59 @89 :Float32;
  pad59 @90 :UInt32;
  f60 @91 :Float64;
  f61 @92 :Int32;
  pad61 @93 :UInt32;
  f62 @94 :Int64;
  f63 @95 :Float32;
  pad63 @96 :UInt32;
  f64 @97 :Float64;
  f65 @98 :Int32;
  pad65 @99 :UInt32;
  f66 @100 :Int64;
  f67 @101 :Float32;
  pad67 @102 :UInt32;
  f68 @103 :Float64;
  f69 @104 :Int32;
  pad69 @105 :UInt32;
  f70 @106 :Int64;
  f71 @107 :Float32;
  pad71 @108 :UInt32;
  f72 @109 :Float64;
  f73 @110 :Int32;
  pad73 @111 :UInt32;
  f74 @112 :Int64;
  f75 @113 :Float32;
  pad75 @114 :UInt32;
  f76 @115 :Float64;
  f77 @116 :Int32;
  pad77 @117 :UInt32;
  f78 @118 :Int64;
  f79 @119 :Float32;
  pad79 @120 :UInt32;
  f80 @121 :Float64;
  f81 @122 :Int32;
  pad81 @123 :UInt32;
  f82 @124 :Int64;
  f83 @125 :Float32;
  pad83 @126 :UInt32;
  f84 @127 :Float64;
  f85 @128 :Int32;
  pad85 @129 :UInt32;
  f86 @130 :Int64;
  f87 @131 :Float32;
  pad87 @132 :UInt32;
  f88 @133 :Float64;
  f89 @134 :Int32;
  pad89 @135 :UInt32;
  f90 @136 :Int64;
  f91 @137 :Float32;
  pad91 @138 :UInt32;
  f92 @139 :Float64;
  f93 @140 :Int32;
  pad93 @141 :UInt32;
  f94 @142 :Int64;
  f95 @143 :Float32;
  pad95 @144 :UInt32;
  f96 @145 :Float64;
  f97 @146 :Int32;
  pad97 @147 :UInt32;
  f98 @148 :Int64;
  f99 @149 :Float32;
  pad99 @150 :UInt32;
  f100 @151 :Float64;
}

struct Sample {
  intValue @0 :Int32;
  longValue @1 :Int64;
  floatValue @2 :Float32;
  doubleValue @3 :Float64;
  shortValue @4 :Int16;
  charValue @5 :UInt16;
  booleanValue @6 :Bool;
  intValueBoxed :union { none @7 :Void; some @8 :Int32; }
  longValueBoxed :union { none @9 :Void; some @10 :Int64; }
  floatValueBoxed :union { none @11 :Void; some @12 :Float32; }
  doubleValueBoxed :union { none @13 :Void; some @14 :Float64; }
  shortValueBoxed :union { none @15 :Void; some @16 :Int16; }
  charValueBoxed :union { none @17 :Void; some @18 :UInt16; }
  booleanValueBoxed :union { none @19 :Void; some @20 :Bool; }
  intArray @21 :List(Int32);
  longArray @22 :List(Int64);
  floatArray @23 :List(Float32);
  doubleArray @24 :List(Float64);
  shortArray @25 :List(Int16);
  charArray @26 :List(UInt16);
  booleanArray @27 :List(Bool);
  text @28 :Text;
  sample @29 :Sample;
}

struct SampleExpert {
  longValue @0 :Int64;
  doubleValue @1 :Float64;
  longBoxed @2 :Int64;
  doubleBoxed @3 :Float64;
  intValue @4 :Int32;
  floatValue @5 :Float32;
  intBoxed @6 :Int32;
  floatBoxed @7 :Float32;
  shortValue @8 :Int16;
  charValue @9 :UInt16;
  shortBoxed @10 :Int16;
  charBoxed @11 :UInt16;
  booleanValue @12 :UInt8;
  booleanBoxed @13 :UInt8;
  present @14 :UInt8;
  intArray @15 :List(Int32);
  longArray @16 :List(Int64);
  floatArray @17 :List(Float32);
  doubleArray @18 :List(Float64);
  shortArray @19 :List(Int16);
  charArray @20 :List(UInt16);
  booleanArray @21 :Data;
  text @22 :Text;
  sample @23 :SampleExpert;
}

enum Color { white @0; black @1; green @2; red @3; blue @4; silver @5; }
enum FuelType { gas @0; diesel @1; electric @2; }

struct Car {
  name @0 :Text;
  description @1 :Text;
  article @2 :Text;
  numberOfSeats @3 :Int32;
  numberOfDoors @4 :Int32;
  color @5 :Color;
  timestamp @6 :Int64;
  drivetrain @7 :Drivetrain;
  engine @8 :Engine;
}

struct Drivetrain {
  transmission @0 :Transmission;
  differentials @1 :List(Differential);
}

struct Transmission {
  numberOfGears @0 :Int32;
  automatic @1 :Bool;
}

struct Differential {
  limitedSlip @0 :Bool;
}

struct Engine {
  numberOfCylinders @0 :Int32;
  fuelType @1 :FuelType;
}

struct Complex {
  attr1 @0 :Int8;
  attr2 @1 :Int16;
  attr3 @2 :Int32;
  attr4 @3 :Int64;
  attr5 @4 :Float32;
  attr6 @5 :Float64;
  attr7 @6 :Bool;
  attr8 @7 :UInt16;
  attr9 @8 :Text;
  attr10 @9 :List(Float64);
  attr11 @10 :List(Text);
  attr12 @11 :Text;
  attr13 @12 :Text;
}

# Times are seconds since 1970.
struct Programme {
  id @0 :Int64;
  title @1 :Text;
  episode @2 :Text;
  synopsis @3 :Text;
  season @4 :Int32;
  number @5 :Int32;
  seconds @6 :Int32;
  rating @7 :Float32;
  popularity @8 :Float64;
  live @9 :Bool;
  subtitled @10 :Bool;
  produced @11 :Int64;
  genres @12 :List(Text);
  channel @13 :Channel;
  showings @14 :List(Showing);
  credits @15 :List(Credit);
  reviews @16 :List(Review);
  licence @17 :Licence;
}

struct Channel {
  name @0 :Text;
  number @1 :Int32;
  frequency @2 :Float64;
  hd @3 :Bool;
}

struct Showing {
  begin @0 :Int64;
  end @1 :Int64;
  repeat @2 :Bool;
  audience @3 :Int64;
}

struct Credit {
  name @0 :Text;
  role @1 :Text;
  part @2 :Text;
}

struct Review {
  author @0 :Text;
  text @1 :Text;
  stars @2 :Float32;
  at @3 :Int64;
}

struct Licence {
  owner @0 :Text;
  territory @1 :List(Text);
  until @2 :Int64;
  cents @3 :Int64;
}

struct Catalogue {
  programmes @0 :List(Programme);
}
