#!/bin/sh
# Runs anvil with the given arguments and keeps its chain in $DATA. A new chain starts from $FIRST_STATE, or, with
# SLIPWAY_SNAPSHOT set, from the snapshot of that name: a gzip file in parts, in $SNAPSHOT.
#
# On SIGTERM anvil saves the chain, and the next start continues with it. With SLIPWAY_PERSISTENT set, the chain is also saved
# while it runs, so that it survives SIGKILL and the loss of the machine. Without it, a crash begins a new chain.
#
# anvil overwrites its dump in place. A finished dump is therefore moved away, synced, and renamed to
# chain.NUMBER.CHECKSUM.SIZE.json: a file with such a name is whole, or its checksum shows that it is not. The last two
# are kept. A start takes the newest whole one, and never begins a new chain if there are files but no whole one.
set -eu
DATA=${DATA:-/data}
FIRST_STATE=${FIRST_STATE:-/etc/slipway/state.json}
SNAPSHOT=${SNAPSHOT:-/etc/slipway/snapshot}
UNPACKED=${HOME:-/tmp}/snapshot.json
NEXT=$DATA/next.json
TAKEN=$DATA/taken.json
STARTED=$DATA/started.json

say() { echo "entrypoint: $*" >&2; }

# anvil writes this member last.
is_finished() {
  case "$(tail -c 64 "$1")" in *'"historical_states":null}') return 0 ;; esac
  return 1
}

# Prints NUMBER.CHECKSUM.SIZE of a saved chain's name.
identity_of() {
  identity=${1#"$DATA/chain."}
  echo "${identity%.json}"
}

# Prints CHECKSUM.SIZE of a file.
digest_of() { cksum < "$1" | (read -r checksum size && echo "$checksum.$size"); }

is_whole() {
  identity=$(identity_of "$1")
  [ "${identity#*.}" = "$(digest_of "$1")" ]
}

# Sets LOAD, the file that anvil starts from, and SAVED, the newest whole chain.
choose() {
  SAVED=
  found=
  # The names are in the order in which they were saved.
  for file in "$DATA"/chain.*.json; do
    [ -e "$file" ] || continue
    found=$file
    if is_whole "$file"; then SAVED=$file; else say "$file is damaged: trying the one before it"; fi
  done
  LOAD=$SAVED
  if [ -n "$found" ] && [ -z "$SAVED" ]; then
    say "all saved states of this chain in $DATA are damaged. Restore the volume, or request a ResetState to begin a new chain"
    exit 1
  fi
  number=1000000000
  [ -z "$found" ] || number=$(identity_of "$found")
  number=${number%%.*}
}

# Sets LOAD to what a new chain starts from. Only a complete snapshot ends as a finished dump does.
begin() {
  LOAD=$FIRST_STATE
  [ -n "${SLIPWAY_SNAPSHOT:-}" ] || return 0
  LOAD=$UNPACKED
  if cat "$SNAPSHOT"/* | gzip -dc > "$UNPACKED" && is_finished "$UNPACKED"; then return 0; fi
  say "the snapshot \"$SLIPWAY_SNAPSHOT\" that this chain begins from is gone or incomplete. Name another one in spec.from"
  exit 1
}

# Saves the dump that anvil has finished, if there is one.
save() {
  [ -e "$TAKEN" ] || { [ -e "$NEXT" ] && mv "$NEXT" "$TAKEN"; } || return 0
  if ! is_finished "$TAKEN"; then
    [ -e "$NEXT" ] || return 0
    # anvil writes one dump at a time, so it has given up this one.
    say 'a dump of the chain failed: is the volume full?'
    mv -f "$NEXT" "$TAKEN"
    return 0
  fi
  digest=$(digest_of "$TAKEN")
  case "$SAVED" in *".$digest.json") rm -f "$TAKEN" && return 0 ;; esac
  file=$DATA/chain.$((number + 1)).$digest.json
  if ! { sync "$TAKEN" && mv "$TAKEN" "$file" && sync "$DATA"; }; then
    say "the chain cannot be saved to $file"
    return 0
  fi
  number=$((number + 1)) former=$SAVED SAVED=$file
  for file in "$DATA"/chain.*.json; do
    case "$file" in "$SAVED" | "$former") ;; *) rm -f "$file" ;; esac
  done
}

# Seconds between two dumps of a chain that starts from this file. A dump takes about 3 ms of CPU per MB.
interval_of() {
  digest=$(digest_of "$1")
  echo $((2 + ${digest#*.} / 4000000))
}

# Left over from a process that was killed. They may be torn, and are newer than what is saved by seconds at most.
rm -f "$NEXT" "$TAKEN"
choose
[ -n "$LOAD" ] || begin
if [ -n "${SLIPWAY_PERSISTENT:-}" ]; then
  set -- --state-interval "$(interval_of "$LOAD")" "$@"
else
  set -- --state-interval 1000000000 "$@"
  # A crash must not bring back what an earlier stop has saved.
  if [ -n "$SAVED" ]; then
    mv -f "$SAVED" "$STARTED"
    rm -f "$DATA"/chain.*.json
    LOAD=$STARTED SAVED=
  fi
fi

anvil --load-state "$LOAD" --dump-state "$NEXT" "$@" &
anvil=$!
trap 'kill -TERM $anvil 2> /dev/null || :' TERM INT
if [ -n "${SLIPWAY_PERSISTENT:-}" ]; then
  trap : USR1
  (while sleep 1 && kill -USR1 $$ 2> /dev/null; do :; done) &
fi
code=0
# A signal interrupts `wait`; once anvil has ended, `wait` returns its exit code.
while :; do
  code=0
  wait $anvil || code=$?
  kill -0 $anvil 2> /dev/null || break
  save
done
# The dump that was taken before, and the one that anvil wrote when it was stopped.
save
save
# The operator takes a clean exit for a chain that the next start continues with.
if [ -z "${SLIPWAY_PERSISTENT:-}" ] && [ -z "$SAVED" ] && [ $code -eq 0 ]; then
  say 'the chain could not be saved, so the next start begins a new one'
  code=1
fi
exit $code
