package workload

import (
	"math"
	"strings"
)

// Color is what a Car is painted in.
type Color int32

// The colors.
const (
	White Color = iota
	Black
	Green
	Red
	Blue
	Silver
)

// FuelType is what an Engine burns.
type FuelType int32

// The fuels.
const (
	Gas FuelType = iota
	Diesel
	Electric
)

// Car is data=CAR and, with a long description, data=CAR_LARGE.
type Car struct {
	Name          string
	Description   string
	Article       string
	NumberOfSeats int32
	NumberOfDoors int32
	Color         Color
	Timestamp     int64
	Drivetrain    Drivetrain
	Engine        Engine
}

// Drivetrain is how a Car's wheels are driven.
type Drivetrain struct {
	Transmission  Transmission
	Differentials []Differential
}

// Transmission is a Drivetrain's.
type Transmission struct {
	NumberOfGears int32
	Automatic     bool
}

// Differential is one of a Drivetrain's.
type Differential struct {
	LimitedSlip bool
}

// Engine is a Car's.
type Engine struct {
	NumberOfCylinders int32
	FuelType          FuelType
}

// NewCar makes the car that takes 360 bytes of JSON.
func NewCar() *Car {
	return &Car{
		Name: "Estate 2.0", Description: "Seats five, pulls a caravan, never saw a hard winter", Article: "4711-08-15",
		NumberOfSeats: 5, NumberOfDoors: 5, Color: Silver, Timestamp: 1_280_836_800_000,
		Drivetrain: Drivetrain{Transmission{6, true}, []Differential{{false}, {true}}},
		Engine:     Engine{4, Diesel},
	}
}

// largeDescription is how many bytes the description of a large car has.
const largeDescription = 4963

// NewCarLarge makes the same with a description for which it takes 5,295 bytes of JSON.
func NewCarLarge() *Car {
	c := NewCar()
	const praise = "A quiet engine, a large boot, and a price that leaves something for the holidays. "
	c.Description = strings.Repeat(praise, largeDescription/len(praise)+1)[:largeDescription]
	return c
}

// Sum adds all numbers and the lengths of all strings.
func (c *Car) Sum() uint64 {
	s := int64(len(c.Name)+len(c.Description)+len(c.Article)) + int64(c.NumberOfSeats) + int64(c.NumberOfDoors) + int64(c.Color) + c.Timestamp +
		int64(c.Drivetrain.Transmission.NumberOfGears) + int64(c.Engine.NumberOfCylinders) + int64(c.Engine.FuelType)
	if c.Drivetrain.Transmission.Automatic {
		s++
	}
	for i, d := range c.Drivetrain.Differentials {
		if d.LimitedSlip {
			s += int64(i) + 1
		}
	}
	return uint64(s)
}

// Complex is data=COMPLEX: a scalar of each size, strings and lists.
type Complex struct {
	Attr1  int8
	Attr2  int16
	Attr3  int32
	Attr4  int64
	Attr5  float32
	Attr6  float64
	Attr7  bool
	Attr8  uint16
	Attr9  string
	Attr10 []float64
	Attr11 []string
	Attr12 *string
	Attr13 *string
}

// NewComplex makes the value that universal-serializer-benchmark prescribes.
func NewComplex() *Complex {
	return &Complex{
		Attr1: 1, Attr2: 2, Attr3: 3, Attr4: 4, Attr5: 5, Attr6: 6, Attr7: true, Attr8: '8', Attr9: "&é'(-è_çà)=€$",
		Attr10: []float64{10.1, 10.2, 10.3}, Attr11: []string{"11.1", "11.2", "11.3"},
	}
}

// Sum adds all numbers and the lengths of all strings.
func (c *Complex) Sum() uint64 {
	f := float64(c.Attr5) + c.Attr6
	for _, x := range c.Attr10 {
		f += x
	}
	s := int64(c.Attr1) + int64(c.Attr2) + int64(c.Attr3) + c.Attr4 + int64(c.Attr8) + int64(len(c.Attr9))
	if c.Attr7 {
		s++
	}
	for _, t := range c.Attr11 {
		s += int64(len(t))
	}
	for _, t := range []*string{c.Attr12, c.Attr13} {
		if t != nil {
			s += int64(len(*t))
		}
	}
	return uint64(s) ^ math.Float64bits(f)
}
