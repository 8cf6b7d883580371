// Waits for its plan at an address, such as :8545, and then becomes the engine. Arguments, environment and files come from
// the plan.
//
//	launcher ADDRESS FOLDER PROGRAM [ARGUMENT...]
//
// It takes one plan, from whoever has the secret whose SHA-256 is in SLIPWAY_PLAN_SECRET_SHA256, and keeps it in FOLDER,
// which outlives the container: a container that starts again becomes the engine at once. PROGRAM gets ARGUMENTs, then
// those of the plan. Everything else that connects is told that there is no engine yet.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	if len(os.Args) < 4 {
		fail("usage: launcher ADDRESS FOLDER PROGRAM [ARGUMENT...]")
	}
	address, folder, program := os.Args[1], os.Args[2], os.Args[3:]
	plan := readPlan(folder)
	if plan == nil {
		plan = waitForPlan(address, folder)
	}
	fail(become(program, plan).Error())
}

// waitForPlan returns the plan once it is stored.
func waitForPlan(address, folder string) *Plan {
	exitWhenTold()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		fail(err.Error())
	}
	defer listener.Close()
	return serve(listener, &desk{folder: folder, secretHash: os.Getenv(secretVariable)})
}

// exitWhenTold is needed by a process with the id 1, for which SIGTERM does nothing by default.
func exitWhenTold() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		if <-told != nil {
			os.Exit(0)
		}
	}()
}

// become replaces this process. It returns only if it cannot.
func become(program []string, plan *Plan) error {
	signal.Reset()
	arguments := append(append([]string{}, program...), plan.Args...)
	return fmt.Errorf("%s cannot be started: %w", program[0], syscall.Exec(program[0], arguments, environment(plan)))
}

func environment(plan *Plan) []string {
	all := []string{}
	for _, entry := range os.Environ() {
		if !isOfLauncher(entry) {
			all = append(all, entry)
		}
	}
	for name, value := range plan.Env {
		all = append(all, name+"="+value)
	}
	return all
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "launcher: "+message)
	os.Exit(1)
}
