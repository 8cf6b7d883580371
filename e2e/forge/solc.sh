#!/bin/sh
# Wraps the project's JavaScript build of solc as a compiler for forge, which would otherwise download its own.
solc="$(dirname "$0")/../../node_modules/solc/solc.js"
if [ "$1" = --version ]; then
  echo "solc, the solidity compiler commandline interface"
  echo "Version: $(node "$solc" --version)"
  exit
fi
# It exits before a pipe has taken more than 64 KiB.
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT
node "$solc" --standard-json > "$answer"
grep -v '^>>>' "$answer"
