#!/bin/sh
# Runs anvil with the given arguments on the chain in $STATE. A chain that is new begins with $FIRST_STATE; anvil
# writes the chain down when it is told to end, and goes on with it when it begins again.
set -e
STATE=${STATE:-/data/state.json}
FIRST_STATE=${FIRST_STATE:-/etc/slipway/state.json}
# A marker, and not the state itself: a copy that was cut short is made again.
if [ ! -e "$STATE.begun" ]; then
  cat "$FIRST_STATE" > "$STATE"
  : > "$STATE.begun"
fi
exec anvil --state "$STATE" "$@"
