#!/bin/sh
# Runs anvil with the given arguments on the chain in $STATE. A new chain starts from $FIRST_STATE. anvil saves the
# chain when it is stopped and continues with it when it starts again.
set -e
STATE=${STATE:-/data/state.json}
FIRST_STATE=${FIRST_STATE:-/etc/slipway/state.json}
# Checks a marker instead of the state file, so that an interrupted copy is repeated.
if [ ! -e "$STATE.begun" ]; then
  cat "$FIRST_STATE" > "$STATE"
  : > "$STATE.begun"
fi
exec anvil --state "$STATE" "$@"
