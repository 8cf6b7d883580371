// Command runc stands before the real runc on machines whose root lacks a capability, such as CAP_SYS_RESOURCE in
// some virtual machines. There, a privileged container asks for more than its creator has, and runc refuses it. This
// program lowers what a container asks for to what this process has, and becomes the real runc.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const realRunc = "/usr/sbin/runc"

// The names of Linux capabilities by their numbers, from linux/capability.h.
var capabilityNames = strings.Fields(`CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP
LINUX_IMMUTABLE NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT
SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE
AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE`)

// The numbers of the resources in getrlimit(2) by the names that a container's configuration uses.
var resources = map[string]int{
	"RLIMIT_CPU": 0, "RLIMIT_FSIZE": 1, "RLIMIT_DATA": 2, "RLIMIT_STACK": 3, "RLIMIT_CORE": 4, "RLIMIT_RSS": 5,
	"RLIMIT_NPROC": 6, "RLIMIT_NOFILE": 7, "RLIMIT_MEMLOCK": 8, "RLIMIT_AS": 9, "RLIMIT_LOCKS": 10,
	"RLIMIT_SIGPENDING": 11, "RLIMIT_MSGQUEUE": 12, "RLIMIT_NICE": 13, "RLIMIT_RTPRIO": 14, "RLIMIT_RTTIME": 15,
}

type object = map[string]any

func main() {
	if err := prepare(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "runc:", err)
		os.Exit(1)
	}
	err := syscall.Exec(realRunc, append([]string{realRunc}, os.Args[1:]...), os.Environ())
	fmt.Fprintln(os.Stderr, "runc:", err)
	os.Exit(1)
}

// prepare edits the file in which the command describes a process, if it has one.
func prepare(args []string) error {
	for i, command := range args {
		switch command {
		case "create", "run", "restore":
			bundle := flagOf(args[i+1:], "--bundle", "-b")
			return edit(filepath.Join(bundle, "config.json"), func(config object) object {
				process, _ := config["process"].(object)
				return process
			})
		case "exec":
			file := flagOf(args[i+1:], "--process", "-p")
			if file == "" {
				return nil
			}
			return edit(file, func(process object) object { return process })
		}
	}
	return nil
}

// flagOf returns the value of a flag by one of its names; empty when it is not there.
func flagOf(args []string, names ...string) string {
	for i, arg := range args {
		for _, name := range names {
			if value, found := strings.CutPrefix(arg, name+"="); found {
				return value
			}
			if arg == name && i+1 < len(args) {
				return args[i+1]
			}
		}
	}
	return ""
}

func edit(path string, processIn func(object) object) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var document object
	decoder := json.NewDecoder(bytes.NewReader(content))
	// A limit near 2^63 does not survive as a float.
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	process := processIn(document)
	if process == nil {
		return nil
	}
	if err := lower(process); err != nil {
		return err
	}
	if content, err = json.Marshal(document); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}

func lower(process object) error {
	bounding, err := ownCapabilities()
	if err != nil {
		return err
	}
	capabilities, _ := process["capabilities"].(object)
	for kind, names := range capabilities {
		capabilities[kind] = kept(names, bounding)
	}
	if err := raiseOomScore(process); err != nil {
		return err
	}
	limits, _ := process["rlimits"].([]any)
	for _, limit := range limits {
		if limit, ok := limit.(object); ok {
			lowerLimit(limit)
		}
	}
	return nil
}

func kept(names any, bounding map[string]bool) []any {
	result := []any{}
	list, _ := names.([]any)
	for _, name := range list {
		if name, ok := name.(string); ok && bounding[name] {
			result = append(result, name)
		}
	}
	return result
}

// ownCapabilities returns the bounding set of this process: nothing below it can have more.
func ownCapabilities() (map[string]bool, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(status), "CapBnd:")
	line, _, _ := strings.Cut(rest, "\n")
	bits, err := strconv.ParseUint(strings.TrimSpace(line), 16, 64)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for number, name := range capabilityNames {
		own["CAP_"+name] = bits&(1<<number) != 0
	}
	return own, nil
}

// raiseOomScore: without CAP_SYS_RESOURCE, the score of a process cannot be below that of its parent.
func raiseOomScore(process object) error {
	wanted, ok := process["oomScoreAdj"].(json.Number)
	if !ok {
		return nil
	}
	content, err := os.ReadFile("/proc/self/oom_score_adj")
	if err != nil {
		return err
	}
	own, err := strconv.ParseInt(strings.TrimSpace(string(content)), 10, 64)
	if err != nil {
		return err
	}
	if score, err := wanted.Int64(); err != nil || score < own {
		process["oomScoreAdj"] = own
	}
	return nil
}

// lowerLimit: without CAP_SYS_RESOURCE, a hard limit can only go down.
func lowerLimit(limit object) {
	name, _ := limit["type"].(string)
	number, known := resources[name]
	var own syscall.Rlimit
	if !known || syscall.Getrlimit(number, &own) != nil {
		return
	}
	for _, kind := range []string{"hard", "soft"} {
		text, ok := limit[kind].(json.Number)
		if !ok {
			continue
		}
		if value, err := strconv.ParseUint(text.String(), 10, 64); err != nil || value > own.Max {
			limit[kind] = own.Max
		}
	}
}
