#!/bin/bash
# Fails when the anvil on port $1 is hung: it listens, but neither answers a JSON-RPC call nor uses any CPU meanwhile. One
# that does not listen is starting or has ended, and one that computes, such as a large trace, is busy.
# $REPORT is what the kubelet reports of a container that it ends.
REPORT=${REPORT:-/dev/termination-log}
PROC=${PROC:-/proc}
TIMEOUT=${TIMEOUT:-8}
# A call that waits for the locks of the chain. Nobody else makes it, so that logs can be shown without it (core/chains/evm/ownCalls.ts).
call='{"jsonrpc":"2.0","id":1,"method":"eth_getUncleByBlockNumberAndIndex","params":["latest","0x0"]}'
head='POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s'

exec 2> /dev/null
# A peer that closes the connection at once ends the call, not this script.
trap '' PIPE

alive() {
  : > "$REPORT"
  exit 0
}

# Prints the CPU time of all processes of anvil, in clock ticks (proc(5): fields 14 and 15, after the name in brackets).
cpu_time() {
  local sum=0 stat line fields
  for stat in "$PROC"/[0-9]*/stat; do
    read -r line < "$stat" && [[ $line == *'(anvil)'* ]] || continue
    read -ra fields <<< "${line##*) }"
    sum=$((sum + fields[11] + fields[12]))
  done
  echo "$sum"
}

before=$(cpu_time)
exec 3<> "/dev/tcp/127.0.0.1/$1" || alive
# The format is a constant.
# shellcheck disable=SC2059
printf "$head" "${#call}" "$call" >&3
read -r -t "$TIMEOUT" _ <&3
# Above 128: it did not answer in time. 1: it closed the connection, as when it ends.
[ $? -gt 128 ] || alive
[ "$(cpu_time)" = "$before" ] || alive
printf 'liveness: no answer' > "$REPORT"
exit 1
