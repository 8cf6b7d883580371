package main

import "sync"

const bufferBytes = 32 << 10

// buffers are those that bodies are copied with.
type buffers struct{ pool sync.Pool }

func newBuffers() *buffers {
	return &buffers{sync.Pool{New: func() any { return new([bufferBytes]byte) }}}
}

func (b *buffers) Get() []byte { return b.pool.Get().(*[bufferBytes]byte)[:] }

func (b *buffers) Put(used []byte) { b.pool.Put((*[bufferBytes]byte)(used)) }
