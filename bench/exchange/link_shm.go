package exchange

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/shm"
)

// Sizes of the channels. The slots take the largest messages; that there are no
// more of them keeps the memory within a processor's cache.
var (
	wordsOptions  = shm.Options{Slots: 8, SlotSize: 128}
	arraysOptions = shm.Options{Slots: 8, SlotSize: 128 << 10}
	bytesOptions  = shm.Options{Slots: 4, SlotSize: 1<<20 + 64}
)

// Paths of the channels in the folder that both processes know.
const (
	wordsPath   = "words"
	arraysPath  = "arrays"
	bytesPath   = "bytes"
	answersPath = "answers"
)

// forever is the context of all that waits: a peer that goes away ends it.
var forever = context.Background()

// shmParent is the first process's end: it writes messages and reads answers.
type shmParent struct {
	words   *shm.Writer[words]
	arrays  *shm.Writer[workload.ArraysData]
	bytes   *shm.Writer[[]byte]
	answers *shm.Reader[words] // from attach on
}

// createShm makes the channels of messages. The error is errors.ErrUnsupported
// where there is no shared memory.
func createShm(folder string) (p *shmParent, err error) {
	p = new(shmParent)
	if p.words, err = shm.Create[words](filepath.Join(folder, wordsPath), wordsOptions); err != nil {
		return nil, err
	}
	if p.arrays, err = shm.Create[workload.ArraysData](filepath.Join(folder, arraysPath), arraysOptions); err == nil {
		p.bytes, err = shm.Create[[]byte](filepath.Join(folder, bytesPath), bytesOptions)
	}
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// attach finds the channel of answers.
func (p *shmParent) attach(ctx context.Context, folder string) (err error) {
	p.answers, err = shm.Attach[words](ctx, filepath.Join(folder, answersPath))
	return err
}

func (p *shmParent) close() error {
	err := p.words.Close()
	if p.arrays != nil {
		err = errors.Join(err, p.arrays.Close())
	}
	if p.bytes != nil {
		err = errors.Join(err, p.bytes.Close())
	}
	if p.answers != nil {
		err = errors.Join(err, p.answers.Close())
	}
	return err
}

func (p *shmParent) client(name Name, from source) (client, error) {
	switch v := from.(type) {
	case *wordsSource:
		return &shmClient[words]{p.words, &v.v, p.answers}, nil
	case *arraysSource:
		return &shmClient[workload.ArraysData]{p.arrays, v.v, p.answers}, nil
	case *bytesSource:
		c := shmClient[[]byte]{p.bytes, &v.v, p.answers}
		if name.Link == CopyRing {
			return &c, nil
		}
		return &shmLender{shmClient: c}, nil
	}
	return nil, fmt.Errorf("no channel for %T", from)
}

func (p *shmParent) server(Name) (server, error) {
	return nil, errors.New("the first process serves nothing")
}

// shmClient serializes into a slot when it sends.
type shmClient[T any] struct {
	messages *shm.Writer[T]
	v        *T
	answers  *shm.Reader[words]
}

func (c *shmClient[T]) prepare() error { return nil }
func (c *shmClient[T]) send() error    { return c.messages.Send(forever, c.v) }

func (c *shmClient[T]) receive() (answer, error) {
	m, err := c.answers.Receive(forever)
	if err != nil {
		return answer{}, err
	}
	var w words
	if err := m.Alias(&w); err != nil {
		return answer{}, err
	}
	return answerOf(&w), m.Release()
}

// shmLender serializes into a slot beforehand.
type shmLender struct {
	shmClient[[]byte]
	loan shm.Loan[[]byte]
}

func (c *shmLender) prepare() (err error) {
	if c.loan, err = c.messages.Loan(forever); err != nil {
		return err
	}
	return c.loan.Encode(c.v)
}

func (c *shmLender) send() error { return c.loan.Commit() }

// shmChild is the second process's end.
type shmChild struct {
	words   *shm.Reader[words]
	arrays  *shm.Reader[workload.ArraysData]
	bytes   *shm.Reader[[]byte]
	answers *shm.Writer[words]
}

func attachShm(ctx context.Context, folder string) (c *shmChild, err error) {
	c = new(shmChild)
	if c.words, err = shm.Attach[words](ctx, filepath.Join(folder, wordsPath)); err != nil {
		return nil, err
	}
	if c.arrays, err = shm.Attach[workload.ArraysData](ctx, filepath.Join(folder, arraysPath)); err != nil {
		return nil, err
	}
	if c.bytes, err = shm.Attach[[]byte](ctx, filepath.Join(folder, bytesPath)); err != nil {
		return nil, err
	}
	c.answers, err = shm.Create[words](filepath.Join(folder, answersPath), wordsOptions)
	return c, err
}

func (c *shmChild) close() error {
	return errors.Join(c.words.Close(), c.arrays.Close(), c.bytes.Close(), c.answers.Close())
}

func (c *shmChild) client(Name, source) (client, error) {
	return nil, errors.New("the second process sends nothing of its own")
}

func (c *shmChild) server(name Name) (server, error) {
	switch {
	case name.Data == suite.PrimitiveArray:
		return &shmServer[workload.ArraysData]{c.arrays, (*workload.ArraysData).Sum, new(workload.ArraysData), c.answers}, nil
	case name.Op != HandOver:
		return &shmServer[words]{c.words, (*words).sum, new(words), c.answers}, nil
	case name.Link == CopyRing:
		return &ringServer{shmServer[[]byte]{c.bytes, firstByte(name.N), new([]byte), c.answers}, make([]byte, name.N)}, nil
	default:
		return &shmServer[[]byte]{c.bytes, firstByte(name.N), new([]byte), c.answers}, nil
	}
}

// shmServer sums messages where they lie.
type shmServer[T any] struct {
	messages *shm.Reader[T]
	sum      func(*T) uint64
	v        *T
	answers  *shm.Writer[words]
}

func (s *shmServer[T]) receive() (uint64, error) {
	m, err := s.messages.Receive(forever)
	if err != nil {
		return 0, err
	}
	if err := m.Alias(s.v); err != nil {
		return 0, err
	}
	sum := s.sum(s.v)
	return sum, m.Release()
}

func (s *shmServer[T]) answer(a answer) error {
	w := a.words()
	return s.answers.Send(forever, &w)
}

// ringServer copies messages and gives their slots back first.
type ringServer struct {
	shmServer[[]byte]
	own []byte
}

func (s *ringServer) receive() (uint64, error) {
	m, err := s.messages.Receive(forever)
	if err != nil {
		return 0, err
	}
	if err := m.Alias(s.v); err != nil {
		return 0, err
	}
	own := s.own[:copy(s.own, *s.v)]
	if err := m.Release(); err != nil {
		return 0, err
	}
	return s.sum(&own), nil
}

// firstByte returns a function that reads the first of n bytes.
func firstByte(n int) func(*[]byte) uint64 {
	return func(p *[]byte) uint64 {
		if len(*p) != n {
			return ^uint64(0) // no byte is that
		}
		return uint64((*p)[0])
	}
}
