// Command etcd is the etcd server of the version in go.mod.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

// etcd as it is: the server module has no main package of its own that could be pinned.
func main() {
	etcdmain.Main(os.Args)
}
