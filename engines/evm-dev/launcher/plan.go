package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const secretVariable = "SLIPWAY_PLAN_SECRET_SHA256"

// Plan is what an engine is started with.
type Plan struct {
	Args  []string          `json:"args"`
	Env   map[string]string `json:"env"`
	Files map[string]string `json:"files"`
}

// The plan is complete as soon as this file exists.
const planFile = "plan.json"

// readPlan returns the plan that was stored, with its files in place; nil if there is none, or if the loss of the machine
// has torn it. The operator then hands it over again.
func readPlan(folder string) *Plan {
	text, err := os.ReadFile(filepath.Join(folder, planFile))
	if err != nil {
		return nil
	}
	plan, err := parsePlan(text, folder)
	if err != nil || writeFiles(plan) != nil {
		return nil
	}
	return plan
}

// parsePlan refuses files outside the folder.
func parsePlan(text []byte, folder string) (*Plan, error) {
	plan := &Plan{}
	if err := json.Unmarshal(text, plan); err != nil {
		return nil, fmt.Errorf("the plan is not JSON: %w", err)
	}
	root := filepath.Clean(folder) + "/"
	for path := range plan.Files {
		if filepath.Clean(path) != path || !strings.HasPrefix(path, root) || path == root+planFile {
			return nil, fmt.Errorf("the plan has a file outside %s: %s", folder, path)
		}
	}
	return plan, nil
}

// storePlan writes the files first, so that the end of this process leaves either the whole plan or none.
func storePlan(text []byte, plan *Plan, folder string) error {
	if err := writeFiles(plan); err != nil {
		return err
	}
	return writeFile(filepath.Join(folder, planFile), text)
}

func writeFiles(plan *Plan) error {
	for path, text := range plan.Files {
		if err := writeFile(path, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, text []byte) error {
	draft := path + ".draft"
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, path)
}

func isOfLauncher(entry string) bool { return strings.HasPrefix(entry, secretVariable+"=") }
