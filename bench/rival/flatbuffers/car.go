package flatbuffers

import (
	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteCar creates what is inside first, then adds field by field.
func (b *Builder) WriteCar(v *workload.Car) []byte {
	b.Reset()
	name, description, article := b.CreateString(v.Name), b.CreateString(v.Description), b.CreateString(v.Article)

	differentials := make([]fb.UOffsetT, len(v.Drivetrain.Differentials))
	for i, d := range v.Drivetrain.Differentials {
		fbs.DifferentialStart(&b.Builder)
		fbs.DifferentialAddLimitedSlip(&b.Builder, d.LimitedSlip)
		differentials[i] = fbs.DifferentialEnd(&b.Builder)
	}
	fbs.DrivetrainStartDifferentialsVector(&b.Builder, len(differentials))
	for i := len(differentials) - 1; i >= 0; i-- {
		b.PrependUOffsetT(differentials[i])
	}
	list := b.EndVector(len(differentials))
	fbs.TransmissionStart(&b.Builder)
	fbs.TransmissionAddNumberOfGears(&b.Builder, v.Drivetrain.Transmission.NumberOfGears)
	fbs.TransmissionAddAutomatic(&b.Builder, v.Drivetrain.Transmission.Automatic)
	transmission := fbs.TransmissionEnd(&b.Builder)
	fbs.DrivetrainStart(&b.Builder)
	fbs.DrivetrainAddTransmission(&b.Builder, transmission)
	fbs.DrivetrainAddDifferentials(&b.Builder, list)
	drivetrain := fbs.DrivetrainEnd(&b.Builder)

	fbs.EngineStart(&b.Builder)
	fbs.EngineAddNumberOfCylinders(&b.Builder, v.Engine.NumberOfCylinders)
	fbs.EngineAddFuelType(&b.Builder, fbs.FuelType(v.Engine.FuelType))
	engine := fbs.EngineEnd(&b.Builder)

	fbs.CarStart(&b.Builder)
	fbs.CarAddName(&b.Builder, name)
	fbs.CarAddDescription(&b.Builder, description)
	fbs.CarAddArticle(&b.Builder, article)
	fbs.CarAddNumberOfSeats(&b.Builder, v.NumberOfSeats)
	fbs.CarAddNumberOfDoors(&b.Builder, v.NumberOfDoors)
	fbs.CarAddColor(&b.Builder, fbs.Color(v.Color))
	fbs.CarAddTimestamp(&b.Builder, v.Timestamp)
	fbs.CarAddDrivetrain(&b.Builder, drivetrain)
	fbs.CarAddEngine(&b.Builder, engine)
	b.Finish(fbs.CarEnd(&b.Builder))
	return b.FinishedBytes()
}

// ReadCar makes fresh strings from the generated accessors.
func ReadCar(msg []byte, v *workload.Car) {
	x := fbs.GetRootAsCar(msg, 0)
	drivetrain, engine := x.Drivetrain(nil), x.Engine(nil)
	transmission := drivetrain.Transmission(nil)
	*v = workload.Car{
		Name:          string(x.Name()),
		Description:   string(x.Description()),
		Article:       string(x.Article()),
		NumberOfSeats: x.NumberOfSeats(),
		NumberOfDoors: x.NumberOfDoors(),
		Color:         workload.Color(x.Color()),
		Timestamp:     x.Timestamp(),
		Drivetrain: workload.Drivetrain{
			Transmission:  workload.Transmission{NumberOfGears: transmission.NumberOfGears(), Automatic: transmission.Automatic()},
			Differentials: make([]workload.Differential, drivetrain.DifferentialsLength()),
		},
		Engine: workload.Engine{NumberOfCylinders: engine.NumberOfCylinders(), FuelType: workload.FuelType(engine.FuelType())},
	}
	var d fbs.Differential
	for i := range v.Drivetrain.Differentials {
		drivetrain.Differentials(&d, i)
		v.Drivetrain.Differentials[i].LimitedSlip = d.LimitedSlip()
	}
}

// SumCar sums through the generated accessors.
func SumCar(msg []byte) uint64 {
	x := fbs.GetRootAsCar(msg, 0)
	var drivetrain fbs.Drivetrain
	var transmission fbs.Transmission
	var engine fbs.Engine
	x.Drivetrain(&drivetrain)
	drivetrain.Transmission(&transmission)
	x.Engine(&engine)
	s := int64(len(x.Name())+len(x.Description())+len(x.Article())) + int64(x.NumberOfSeats()) + int64(x.NumberOfDoors()) + int64(x.Color()) +
		x.Timestamp() + int64(transmission.NumberOfGears()) + int64(engine.NumberOfCylinders()) + int64(engine.FuelType()) + bit(transmission.Automatic())
	var d fbs.Differential
	for i := range drivetrain.DifferentialsLength() {
		drivetrain.Differentials(&d, i)
		s += bit(d.LimitedSlip()) * int64(i+1)
	}
	return uint64(s)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
