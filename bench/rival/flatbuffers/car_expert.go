package flatbuffers

import (
	"bytes"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteCarExpert writes all numbers as one struct, and the differentials as a vector of booleans.
func (b *Builder) WriteCarExpert(v *workload.Car) []byte {
	b.Reset()
	name, description, article := b.CreateString(v.Name), b.CreateString(v.Description), b.CreateString(v.Article)
	list := v.Drivetrain.Differentials
	fbs.CarExpertStartLimitedSlipVector(&b.Builder, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		b.PrependBool(list[i].LimitedSlip)
	}
	slip := b.EndVector(len(list))
	fbs.CarExpertStart(&b.Builder)
	fbs.CarExpertAddLimitedSlip(&b.Builder, slip)
	fbs.CarExpertAddArticle(&b.Builder, article)
	fbs.CarExpertAddDescription(&b.Builder, description)
	fbs.CarExpertAddName(&b.Builder, name)
	fbs.CarExpertAddFixed(&b.Builder, fbs.CreateCarFixed(&b.Builder, v.Timestamp, v.NumberOfSeats, v.NumberOfDoors,
		v.Drivetrain.Transmission.NumberOfGears, v.Engine.NumberOfCylinders, fbs.Color(v.Color), fbs.FuelType(v.Engine.FuelType),
		v.Drivetrain.Transmission.Automatic))
	b.Finish(fbs.CarExpertEnd(&b.Builder))
	return b.FinishedBytes()
}

// ReadCarExpert copies the message once and lets all strings lie in the copy.
func ReadCarExpert(msg []byte, v *workload.Car) {
	*v = workload.Car{}
	ViewCar(bytes.Clone(msg), v)
}

// ViewCar makes v's strings point into the message; the list that v holds is reused.
func ViewCar(msg []byte, v *workload.Car) {
	var x fbs.CarExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var fixed fbs.CarFixed
	x.Fixed(&fixed)
	v.Name, v.Description, v.Article = raw.String(x.Name()), raw.String(x.Description()), raw.String(x.Article())
	v.NumberOfSeats, v.NumberOfDoors, v.Color, v.Timestamp = fixed.Seats(), fixed.Doors(), workload.Color(fixed.Color()), fixed.Timestamp()
	v.Drivetrain.Transmission = workload.Transmission{NumberOfGears: fixed.Gears(), Automatic: fixed.Automatic()}
	v.Engine = workload.Engine{NumberOfCylinders: fixed.Cylinders(), FuelType: workload.FuelType(fixed.FuelType())}
	list := resized(v.Drivetrain.Differentials, x.LimitedSlipLength())
	for i := range list {
		list[i].LimitedSlip = x.LimitedSlip(i)
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

// SumCarExpert sums through the accessors of the expert's schema.
func SumCarExpert(msg []byte) uint64 {
	var x fbs.CarExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var fixed fbs.CarFixed
	x.Fixed(&fixed)
	s := int64(len(x.Name())+len(x.Description())+len(x.Article())) + int64(fixed.Seats()) + int64(fixed.Doors()) + int64(fixed.Color()) +
		fixed.Timestamp() + int64(fixed.Gears()) + int64(fixed.Cylinders()) + int64(fixed.FuelType()) + bit(fixed.Automatic())
	for i := range x.LimitedSlipLength() {
		s += bit(x.LimitedSlip(i)) * int64(i+1)
	}
	return uint64(s)
}
