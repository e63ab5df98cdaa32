package exchange

// A client is the end of a link that sends the messages of one case.
type client interface {
	prepare() error // what comes before the time of op=handover
	send() error
	receive() (answer, error)
}

// A server is the other end of it.
type server interface {
	receive() (sum uint64, err error) // takes a message and has done with it
	answer(answer) error
}

// A link is one process's end of a link of any kind.
type link interface {
	client(Name, source) (client, error)
	server(Name) (server, error)
	close() error
}
