#!/bin/sh
# What forge calls a compiler, over the JavaScript build of solc that the project has anyway: forge would fetch another.
solc="$(dirname "$0")/../../node_modules/solc/solc.js"
if [ "$1" = --version ]; then
  echo "solc, the solidity compiler commandline interface"
  echo "Version: $(node "$solc" --version)"
  exit
fi
node "$solc" --standard-json | grep -v '^>>>'
