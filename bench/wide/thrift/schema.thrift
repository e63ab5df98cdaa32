// What the workloads are to thrift. Written by schemas thrift.
namespace go schema

struct ArraysData {
  1: list<bool> Booleans
  2: binary Bytes
  3: list<i32> Ints
  4: list<i64> Longs
  5: list<double> Doubles
}

struct BufferStruct {
  1: list<binary> Buffers
}

struct Struct {
  1: i32 F1
  2: i64 F2
  3: double F3
  4: double F4
  5: i32 F5
  6: i64 F6
  7: double F7
  8: double F8
  9: i32 F9
  10: i64 F10
  11: double F11
  12: double F12
  13: i32 F13
  14: i64 F14
  15: double F15
  16: double F16
  17: i32 F17
  18: i64 F18
  19: double F19
  20: double F20
  21: i32 F21
  22: i64 F22
  23: double F23
  24: double F24
  25: i32 F25
  26: i64 F26
  27: double F27
  28: double F28
  29: i32 F29
  30: i64 F30
  31: double F31
  32: double F32
  33: i32 F33
  34: i64 F34
  35: double F35
  36: double F36
  37: i32 F37
  38: i64 F38
  39: double F39
  40: double F40
  41: i32 F41
  42: i64 F42
  43: double F43
  44: double F44
  45: i32 F45
  46: i64 F46
  47: double F47
  48: double F48
  49: i32 F49
  50: i64 F50
  51: double F51
  52: double F52
  53: i32 F53
  54: i64 F54
  55: double F55
  56: double F56
  57: i32 F57
  58: i64 F58
  59: double F59
  60: double F60
  61: i32 F61
  62: i64 F62
  63: double F63
  64: double F64
  65: i32 F65
  66: i64 F66
  67: double F67
  68: double F68
  69: i32 F69
  70: i64 F70
  71: double F71
  72: double F72
  73: i32 F73
  74: i64 F74
  75: double F75
  76: double F76
  77: i32 F77
  78: i64 F78
  79: double F79
  80: double F80
  81: i32 F81
  82: i64 F82
  83: double F83
  84: double F84
  85: i32 F85
  86: i64 F86
  87: double F87
  88: double F88
  89: i32 F89
  90: i64 F90
  91: double F91
  92: double F92
  93: i32 F93
  94: i64 F94
  95: double F95
  96: double F96
  97: i32 F97
  98: i64 F98
  99: double F99
  100: double F100
}

struct Struct2 {
  1: optional i32 F1
  2: optional i64 F2
  3: optional double F3
  4: optional double F4
  5: optional i32 F5
  6: optional i64 F6
  7: optional double F7
  8: optional double F8
  9: optional i32 F9
  10: optional i64 F10
  11: optional double F11
  12: optional double F12
  13: optional i32 F13
  14: optional i64 F14
  15: optional double F15
  16: optional double F16
  17: optional i32 F17
  18: optional i64 F18
  19: optional double F19
  20: optional double F20
  21: optional i32 F21
  22: optional i64 F22
  23: optional double F23
  24: optional double F24
  25: optional i32 F25
  26: optional i64 F26
  27: optional double F27
  28: optional double F28
  29: optional i32 F29
  30: optional i64 F30
  31: optional double F31
  32: optional double F32
  33: optional i32 F33
  34: optional i64 F34
  35: optional double F35
  36: optional double F36
  37: optional i32 F37
  38: optional i64 F38
  39: optional double F39
  40: optional double F40
  41: optional i32 F41
  42: optional i64 F42
  43: optional double F43
  44: optional double F44
  45: optional i32 F45
  46: optional i64 F46
  47: optional double F47
  48: optional double F48
  49: optional i32 F49
  50: optional i64 F50
  51: optional double F51
  52: optional double F52
  53: optional i32 F53
  54: optional i64 F54
  55: optional double F55
  56: optional double F56
  57: optional i32 F57
  58: optional i64 F58
  59: optional double F59
  60: optional double F60
  61: optional i32 F61
  62: optional i64 F62
  63: optional double F63
  64: optional double F64
  65: optional i32 F65
  66: optional i64 F66
  67: optional double F67
  68: optional double F68
  69: optional i32 F69
  70: optional i64 F70
  71: optional double F71
  72: optional double F72
  73: optional i32 F73
  74: optional i64 F74
  75: optional double F75
  76: optional double F76
  77: optional i32 F77
  78: optional i64 F78
  79: optional double F79
  80: optional double F80
  81: optional i32 F81
  82: optional i64 F82
  83: optional double F83
  84: optional double F84
  85: optional i32 F85
  86: optional i64 F86
  87: optional double F87
  88: optional double F88
  89: optional i32 F89
  90: optional i64 F90
  91: optional double F91
  92: optional double F92
  93: optional i32 F93
  94: optional i64 F94
  95: optional double F95
  96: optional double F96
  97: optional i32 F97
  98: optional i64 F98
  99: optional double F99
  100: optional double F100
}

struct Media {
  1: string URI
  2: optional string Title
  3: i32 Width
  4: i32 Height
  5: string Format
  6: i64 Duration
  7: i64 Size
  8: i32 Bitrate
  9: bool HasBitrate
  10: list<string> Persons
  11: i32 Player
  12: optional string Copyright
}

struct Image {
  1: string URI
  2: optional string Title
  3: i32 Width
  4: i32 Height
  5: i32 Size
  6: optional Media Media
}

struct MediaContent {
  1: optional Media Media
  2: list<Image> Images
}

struct Sample {
  1: i32 IntValue
  2: i64 LongValue
  3: double FloatValue
  4: double DoubleValue
  5: i16 ShortValue
  6: i16 CharValue
  7: bool BooleanValue
  8: optional i32 IntValueBoxed
  9: optional i64 LongValueBoxed
  10: optional double FloatValueBoxed
  11: optional double DoubleValueBoxed
  12: optional i16 ShortValueBoxed
  13: optional i16 CharValueBoxed
  14: optional bool BooleanValueBoxed
  15: list<i32> IntArray
  16: list<i64> LongArray
  17: list<double> FloatArray
  18: list<double> DoubleArray
  19: list<i16> ShortArray
  20: list<i16> CharArray
  21: list<bool> BooleanArray
  22: string Text
  23: optional Sample Sample
}

struct Transmission {
  1: i32 NumberOfGears
  2: bool Automatic
}

struct Differential {
  1: bool LimitedSlip
}

struct Drivetrain {
  1: Transmission Transmission
  2: list<Differential> Differentials
}

struct Engine {
  1: i32 NumberOfCylinders
  2: i32 FuelType
}

struct Car {
  1: string Name
  2: string Description
  3: string Article
  4: i32 NumberOfSeats
  5: i32 NumberOfDoors
  6: i32 Color
  7: i64 Timestamp
  8: Drivetrain Drivetrain
  9: Engine Engine
}

struct Complex {
  1: i8 Attr1
  2: i16 Attr2
  3: i32 Attr3
  4: i64 Attr4
  5: double Attr5
  6: double Attr6
  7: bool Attr7
  8: i16 Attr8
  9: string Attr9
  10: list<double> Attr10
  11: list<string> Attr11
  12: optional string Attr12
  13: optional string Attr13
}

struct Channel {
  1: string Name
  2: i32 Number
  3: double Frequency
  4: bool HD
}

struct Showing {
  1: i64 Begin
  2: i64 End
  3: bool Repeat
  4: i64 Audience
}

struct Credit {
  1: string Name
  2: string Role
  3: optional string Part
}

struct Review {
  1: string Author
  2: string Text
  3: double Stars
  4: i64 At
}

struct Licence {
  1: string Owner
  2: list<string> Territory
  3: i64 Until
  4: i64 Cents
}

struct Programme {
  1: i64 ID
  2: string Title
  3: optional string Episode
  4: string Synopsis
  5: i32 Season
  6: i32 Number
  7: i32 Seconds
  8: double Rating
  9: double Popularity
  10: bool Live
  11: bool Subtitled
  12: i64 Produced
  13: list<string> Genres
  14: Channel Channel
  15: list<Showing> Showings
  16: list<Credit> Credits
  17: list<Review> Reviews
  18: optional Licence Licence
}

struct Catalogue {
  1: list<Programme> Programmes
}
