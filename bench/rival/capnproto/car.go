package capnproto

import (
	"bytes"
	"errors"

	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteCar sets field by field.
func (b *Builder) WriteCar(v *workload.Car) ([]byte, error) { return written(b, v, setCar) }

// WriteCarExpert does the same where the message is to lie.
func (b *BuilderOver) WriteCarExpert(v *workload.Car) ([]byte, error) {
	return writtenOver(b, v, setCar)
}

// written makes a message of what set sets.
func written[T any](b *Builder, v *T, set func(*capnp.Segment, *T) error) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if err := set(seg, v); err != nil {
		return nil, err
	}
	return b.msg.Marshal()
}

// writtenOver does so where the message is to lie: the generated functions copy texts in bulk as it is.
func writtenOver[T any](b *BuilderOver, v *T, set func(*capnp.Segment, *T) error) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if err := set(seg, v); err != nil {
		return nil, err
	}
	return b.finish(seg), nil
}

func setCar(seg *capnp.Segment, v *workload.Car) error {
	x, err := cps.NewRootCar(seg)
	if err != nil {
		return err
	}
	if err := errors.Join(x.SetName(v.Name), x.SetDescription(v.Description), x.SetArticle(v.Article)); err != nil {
		return err
	}
	x.SetNumberOfSeats(v.NumberOfSeats)
	x.SetNumberOfDoors(v.NumberOfDoors)
	x.SetColor(cps.Color(v.Color))
	x.SetTimestamp(v.Timestamp)
	drivetrain, err := x.NewDrivetrain()
	if err != nil {
		return err
	}
	transmission, err := drivetrain.NewTransmission()
	if err != nil {
		return err
	}
	transmission.SetNumberOfGears(v.Drivetrain.Transmission.NumberOfGears)
	transmission.SetAutomatic(v.Drivetrain.Transmission.Automatic)
	list, err := drivetrain.NewDifferentials(int32(len(v.Drivetrain.Differentials)))
	if err != nil {
		return err
	}
	for i, d := range v.Drivetrain.Differentials {
		list.At(i).SetLimitedSlip(d.LimitedSlip)
	}
	engine, err := x.NewEngine()
	if err != nil {
		return err
	}
	engine.SetNumberOfCylinders(v.Engine.NumberOfCylinders)
	engine.SetFuelType(cps.FuelType(v.Engine.FuelType))
	return nil
}

// A carParts is what a car's accessors give besides scalars.
type carParts struct {
	cps.Car
	drivetrain    cps.Drivetrain
	transmission  cps.Transmission
	differentials cps.Differential_List
	engine        cps.Engine
}

func readCarParts(msg []byte) (x carParts, err error) {
	if x.Car, err = root(msg, cps.ReadRootCar); err != nil {
		return x, err
	}
	if x.drivetrain, err = x.Drivetrain(); err != nil {
		return x, err
	}
	if x.transmission, err = x.drivetrain.Transmission(); err != nil {
		return x, err
	}
	if x.differentials, err = x.drivetrain.Differentials(); err != nil {
		return x, err
	}
	x.engine, err = x.Engine()
	return x, err
}

// ReadCar makes fresh strings from the generated accessors.
func ReadCar(msg []byte, v *workload.Car) error {
	x, err := readCarParts(msg)
	if err != nil {
		return err
	}
	if v.Name, err = x.Name(); err != nil {
		return err
	}
	if v.Description, err = x.Description(); err != nil {
		return err
	}
	if v.Article, err = x.Article(); err != nil {
		return err
	}
	v.NumberOfSeats, v.NumberOfDoors, v.Color, v.Timestamp = x.NumberOfSeats(), x.NumberOfDoors(), workload.Color(x.Color()), x.Timestamp()
	v.Drivetrain.Transmission = workload.Transmission{NumberOfGears: x.transmission.NumberOfGears(), Automatic: x.transmission.Automatic()}
	v.Drivetrain.Differentials = make([]workload.Differential, x.differentials.Len())
	for i := range v.Drivetrain.Differentials {
		v.Drivetrain.Differentials[i].LimitedSlip = x.differentials.At(i).LimitedSlip()
	}
	v.Engine = workload.Engine{NumberOfCylinders: x.engine.NumberOfCylinders(), FuelType: workload.FuelType(x.engine.FuelType())}
	return nil
}

// SumCar sums through the generated accessors, those of texts as bytes.
func SumCar(msg []byte) (uint64, error) {
	x, err := readCarParts(msg)
	if err != nil {
		return 0, err
	}
	name, err1 := x.NameBytes()
	description, err2 := x.DescriptionBytes()
	article, err3 := x.ArticleBytes()
	if err := errors.Join(err1, err2, err3); err != nil {
		return 0, err
	}
	s := int64(len(name)+len(description)+len(article)) + int64(x.NumberOfSeats()) + int64(x.NumberOfDoors()) + int64(x.Color()) +
		x.Timestamp() + int64(x.transmission.NumberOfGears()) + int64(x.engine.NumberOfCylinders()) + int64(x.engine.FuelType()) +
		bit(x.transmission.Automatic())
	for i := range x.differentials.Len() {
		s += bit(x.differentials.At(i).LimitedSlip()) * int64(i+1)
	}
	return uint64(s), nil
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// Where the compiler put the fields of a car: scalars by their byte in the data section, pointers by theirs among the
// pointers.
const (
	carSeats       = 0
	carDoors       = 4
	carColor       = 8
	carTimestamp   = 16
	carName        = 0
	carDescription = 8
	carArticle     = 16
	carDrivetrain  = 24
	carEngine      = 32

	drivetrainTransmission  = 0
	drivetrainDifferentials = 8

	transmissionGears     = 0
	transmissionAutomatic = 4
	engineCylinders       = 0
	engineFuel            = 4
)

// ReadCarExpert copies the message once and lets all strings lie in the copy.
func ReadCarExpert(msg []byte, v *workload.Car) {
	*v = workload.Car{}
	ViewCar(bytes.Clone(msg), v)
}

// ViewCar makes v's strings point into the message; the list that v holds is reused.
func ViewCar(msg []byte, v *workload.Car) {
	s := segment(msg[header:])
	d, p := s.object(0)
	v.NumberOfSeats, v.NumberOfDoors = int32At(d, carSeats), int32At(d, carDoors)
	v.Color, v.Timestamp = workload.Color(enumAt(d, carColor)), int64At(d, carTimestamp)
	v.Name, v.Description, v.Article = raw.String(s.text(p+carName)), raw.String(s.text(p+carDescription)), raw.String(s.text(p+carArticle))
	engine, _ := s.object(p + carEngine)
	v.Engine = workload.Engine{NumberOfCylinders: int32At(engine, engineCylinders), FuelType: workload.FuelType(enumAt(engine, engineFuel))}
	_, drivetrain := s.object(p + carDrivetrain)
	transmission, _ := s.object(drivetrain + drivetrainTransmission)
	v.Drivetrain.Transmission = workload.Transmission{NumberOfGears: int32At(transmission, transmissionGears), Automatic: transmission[transmissionAutomatic]&1 != 0}
	from, n, _, size := s.structs(drivetrain + drivetrainDifferentials)
	list := resized(v.Drivetrain.Differentials, n)
	for i := range list {
		list[i].LimitedSlip = s[from+i*size]&1 != 0
	}
	v.Drivetrain.Differentials = list
}

// resized is a list of n elements, in s's memory if that is large enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// SumCarExpert sums by hand.
func SumCarExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	d, p := s.object(0)
	engine, _ := s.object(p + carEngine)
	_, drivetrain := s.object(p + carDrivetrain)
	transmission, _ := s.object(drivetrain + drivetrainTransmission)
	sum := int64(len(s.text(p+carName))+len(s.text(p+carDescription))+len(s.text(p+carArticle))) +
		int64(int32At(d, carSeats)) + int64(int32At(d, carDoors)) + int64(enumAt(d, carColor)) + int64At(d, carTimestamp) +
		int64(int32At(engine, engineCylinders)) + int64(enumAt(engine, engineFuel)) +
		int64(int32At(transmission, transmissionGears)) + int64(transmission[transmissionAutomatic]&1)
	from, n, _, size := s.structs(drivetrain + drivetrainDifferentials)
	for i := range n {
		sum += int64(s[from+i*size]&1) * int64(i+1)
	}
	return uint64(sum)
}
