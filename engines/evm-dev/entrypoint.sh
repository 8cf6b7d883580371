#!/bin/bash
# Runs anvil with the given arguments and keeps its chain in $DATA. A new chain starts from $FIRST_STATE, or, with
# SLIPWAY_SNAPSHOT set, from the snapshot of that name: a gzip file in parts, in $SNAPSHOT.
#
# On SIGTERM anvil saves the chain, and the next start continues with it. With SLIPWAY_PERSISTENT set, the chain is also saved
# while it runs, so that it survives SIGKILL and the loss of the machine. Without it, a crash begins a new chain.
#
# anvil overwrites its dump in place. A finished dump is therefore moved away, synced, and renamed to
# chain.NUMBER.CHECKSUM.SIZE.json: a file with such a name is whole, or its checksum shows that it is not. The last two
# are kept. A start takes the newest whole one, and never begins a new chain if there are files but no whole one.
#
# Each process makes a block 0 with its own time, and dumps it with the one that it loaded. A chain keeps its first one: the
# others are taken out when it is loaded. Its clock goes on with the offset that its users gave it, which anvil does not dump.
[ -n "${BASH_VERSION:-}" ] || exec /bin/bash "$0" "$@"
set -eu
export LC_ALL=C
DATA=${DATA:-/data}
FIRST_STATE=${FIRST_STATE:-/etc/slipway/state.json}
SNAPSHOT=${SNAPSHOT:-/etc/slipway/snapshot}
UNPACKED=${HOME:-/tmp}/snapshot.json
NEXT=$DATA/next.json
TAKEN=$DATA/taken.json
STARTED=$DATA/started.json
# Seconds by which the clock of the chain is ahead of the machine's.
CLOCK=$DATA/clock
ARGUMENTS=$*
PORT=
for word in "$@"; do
  [ "${former:-}" != --port ] || PORT=$word
  former=$word
done

# anvil moves the states of earlier blocks to files here, up to 3,600 whole ones. Bytes of them that are kept: of an older block, it
# then answers that it is out of range.
STATES=${HOME:-/tmp}/.foundry/anvil/tmp
MOST_STATES=${MOST_STATES:-512000000}

say() { echo "entrypoint: $*" >&2; }

# anvil writes the states of earlier blocks last. Of a dump that is cut off, not all braces are closed.
is_finished() {
  case "$(tail -c 64 "$1")" in
    *'"historical_states":null}') return 0 ;;
    *']}') are_closed "$1" ;;
    *) return 1 ;;
  esac
}

# Reads it once: anvil may be writing on.
are_closed() { tr -cd '{}' < "$1" | awk '{ opened = gsub(/[{]/, ""); exit opened != length($0) }'; }

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

# Reads a dump piece by piece, as it may be larger than the memory: what is before each closing brace. A block 0 is two of
# them, because nothing in its header is in braces: its header with no parent, and empty lists.
BLOCK_0='
  BEGIN {
    RS = "}"
    ORS = ""
    zeros = "0000000000000000"
    header = "{\"header\":{\"parentHash\":\"0x" zeros zeros zeros zeros "\""
    lists = "^,\"transactions\":\\[\\],\"ommers\":\\[\\](,\"withdrawals\":(null|\\[\\]))?$"
  }
'

# Prints the time of a block's header, or of a dump's last block, in seconds.
time_in() {
  [[ $1 =~ \"timestamp\":\"(0x[0-9a-f]+)\" ]] && echo $((BASH_REMATCH[1])) || echo 0
}

# Sets FIRST, the block 0 of the chain in a dump: that of its first process, which is the oldest. Empty if it has none.
find_first() {
  FIRST='' FIRST_TIME=0
  while read -r block; do
    time=$(time_in "$block")
    if [ -n "$FIRST" ] && [ "$time" -ge "$FIRST_TIME" ]; then continue; fi
    FIRST=$block FIRST_TIME=$time
  done < <(awk "$BLOCK_0"'
    found && $0 ~ lists { print found "}" $0 "}\n" }
    { at = index($0, header); found = at ? substr($0, at) : "" }
  ' "$1")
}

has_history() { case " $ARGUMENTS " in *' --preserve-historical-states '*) return 0 ;; *) return 1 ;; esac; }

# Prints a dump with no other block 0 than FIRST, and with the states of earlier blocks only if they are asked for.
with_first() {
  if [ -z "$FIRST" ]; then exec cat "$1"; fi
  has_history && drop=0 || drop=1
  first=$FIRST drop=$drop rewritten "$1"
}

# The largest dump that keeps the states of earlier blocks: two are on the volume besides the one that is being written, and loaded
# they take more than half of their size in memory.
MOST_HISTORY=${MOST_HISTORY:-200000000}

# Leaves out the states of earlier blocks of a dump that is larger.
bound() {
  if [ "$(wc -c < "$1")" -le "$MOST_HISTORY" ] || [[ $(tail -c 64 "$1") = *:null\} ]]; then return 0; fi
  say 'the states of earlier blocks are too large and are not saved: set a smaller history'
  first='' drop=1 rewritten "$1" > "$1.bound" && mv -f "$1.bound" "$1"
}

# Prints a dump with the first block in $first, if there is one, in place of each block 0. With $drop, it has no states of earlier blocks.
rewritten() {
  awk "$BLOCK_0"'
    # Prints what follows; a comma separates the first block from the next one, unless there is none.
    function put(text) {
      if (isFirst && text != "") {
        if (text !~ /^[],]/) print ","
        isFirst = 0
      }
      print text
    }
    function blocks(text, at) {
      at = index(text, "\"blocks\":[")
      if (!at || ENVIRON["first"] == "") return put(text)
      put(substr(text, 1, at + 9))
      print ENVIRON["first"]
      isFirst = 1
      put(substr(text, at + 10))
    }
    found != "" {
      isBlock0 = $0 ~ lists && ENVIRON["first"] != ""
      if (!isBlock0) put(comma found "}")
      found = ""
      if (isBlock0) next
    }
    $0 == "\n" { put($0); next }
    ENVIRON["drop"] == 1 && (at = index($0, "\"historical_states\":[")) {
      blocks(substr($0, 1, at - 1))
      put("\"historical_states\":null}")
      exit
    }
    { at = index($0, header) }
    !at { blocks($0 "}"); next }
    {
      before = substr($0, 1, at - 1)
      found = substr($0, at)
      comma = before ~ /,$/ ? "," : ""
      sub(/,$/, "", before)
      blocks(before)
    }
  ' "$1"
}

# Asks anvil. Prints the number in its answer; fails if there is none within a second.
ask() {
  [ -n "$PORT" ] || return 1
  (
    exec 3<> "/dev/tcp/127.0.0.1/$PORT" || exit 1
    call="{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":[$2]}"
    printf 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' \
      "${#call}" "$call" >&3
    while read -r -t 1 line || [ -n "$line" ]; do
      [[ $line =~ \"result\":(-?[0-9]+) ]] && echo "${BASH_REMATCH[1]}" && exit 0
      line=
    done <&3
    exit 1
  ) 2> /dev/null
}

now() { printf '%(%s)T' -1; }

# Remembers the clock of the chain.
keep_clock() {
  offset=$(ask evm_increaseTime 0) || return 0
  [ "$offset" != "$(cat "$CLOCK" 2> /dev/null)" ] || return 0
  echo "$offset" > "$CLOCK" || say "the clock of the chain cannot be saved to $CLOCK"
}

# Prints by how many seconds the clock of a loaded chain must be ahead. It never goes back behind the last block.
offset_of_chain() {
  offset=$(cat "$CLOCK" 2> /dev/null || echo 0)
  behind=$(($1 - $(now)))
  [ "$offset" -ge "$behind" ] || offset=$behind
  echo "$offset"
}

# anvil starts a moment later than its arguments say, and a fork at the time of its source: sets the clock once it answers,
# until it is right, because a second may begin in between.
set_clock() {
  for _ in {1..200}; do
    sleep 0.05
    kill -0 $$ 2> /dev/null || return 0
    present=$(ask evm_increaseTime 0) || continue
    wanted=$(offset_of_chain "$1")
    [ "$wanted" != "$present" ] || return 0
    ask anvil_setTime $(($(now) + wanted)) > /dev/null || :
  done
}

# Sets LOAD to what a new chain starts from. Only a complete snapshot ends as a finished dump does.
begin() {
  rm -f "$CLOCK"
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
  if ! bound "$TAKEN"; then
    rm -f "$TAKEN.bound"
    say 'the states of earlier blocks cannot be left out of a dump: is the volume full?'
  fi
  digest=$(digest_of "$TAKEN")
  case "$SAVED" in *".$digest.json") rm -f "$TAKEN" && return 0 ;; esac
  file=$DATA/chain.$((number + 1)).$digest.json
  if ! { sync "$TAKEN" && mv "$TAKEN" "$file" && sync "$DATA"; }; then
    say "the chain cannot be saved to $file"
    return 0
  fi
  number=$((number + 1)) former=$SAVED SAVED=$file
  keep_clock
  for file in "$DATA"/chain.*.json; do
    case "$file" in "$SAVED" | "$former") ;; *) rm -f "$file" ;; esac
  done
}

# Seconds between two dumps of a chain that starts from this file. A dump takes about 2 ms of CPU per MB, and grows fast if it
# has the states of earlier blocks.
interval_of() {
  has_history && least=10 || least=2
  echo $((least + $(wc -c < "$1") / 4000000))
}

# Removes the oldest states of earlier blocks while they are too many, if there are new ones.
trim_states() {
  for folder in "$STATES"/*/; do
    [ "$folder" -nt "$STATES.seen" ] || continue
    : > "$STATES.seen"
    mapfile -t old < <(
      cd "$folder" && ls -rtgG --time-style=+ | awk -v most="$MOST_STATES" '
        NF == 4 { sizes[++count] = $3; names[count] = $4; total += $3 }
        END { for (i = 1; total > most; total -= sizes[i++]) print names[i] }
      '
    )
    [ ${#old[@]} -eq 0 ] || (cd "$folder" && rm -f "${old[@]}")
  done
}

# It may be told to end at any time.
anvil='' told=''
trap 'told=1; end' TERM INT
end() {
  [ -n "$anvil" ] || return 0
  keep_clock
  kill -TERM "$anvil" 2> /dev/null || :
}

# Left over from a process that was killed. They may be torn, and are newer than what is saved by seconds at most.
rm -rf "$NEXT" "$TAKEN" "$TAKEN.bound" "$STATES"
choose
[ -n "$LOAD" ] || begin
if [ -n "${SLIPWAY_PERSISTENT:-}" ]; then
  set -- --state-interval "$(interval_of "$LOAD")" "$@"
else
  set -- --state-interval 1000000000 "$@"
  # A crash must not bring back what an earlier stop has saved.
  if [ -n "$SAVED" ]; then
    WAS=$SAVED
    mv -f "$SAVED" "$STARTED"
    rm -f "$DATA"/chain.*.json
    LOAD=$STARTED SAVED=
  fi
fi

find_first "$LOAD"
read -r -N 1000 start < "$LOAD" || :
last=$(time_in "$start")
case " $* " in
  *' --fork-url '*) [ "$last" = 0 ] || set_clock "$last" > /dev/null 2>&1 & ;;
  *)
    if [ -n "$FIRST" ]; then
      time=$(($(now) + $(offset_of_chain "$last")))
      # Later than block 0, so that this process makes another one, which is newer.
      [ "$time" -gt "$FIRST_TIME" ] || time=$((FIRST_TIME + 1))
      set -- --timestamp "$time" "$@"
      set_clock "$last" > /dev/null 2>&1 &
    fi
    ;;
esac
# Nothing is lost while anvil does not run.
if [ -n "$told" ]; then
  [ -z "${WAS:-}" ] || mv -f "$STARTED" "$WAS"
  [ -n "$SAVED${WAS:-}" ] || exit 1
  exit 0
fi
anvil --load-state <(with_first "$LOAD") --dump-state "$NEXT" "$@" &
anvil=$!
# Before it answers, anvil does not know the signal, and would lose its chain.
if [ -n "$told" ]; then
  until [ -z "$PORT" ] || ask evm_increaseTime 0 > /dev/null || ! kill -0 $anvil 2> /dev/null; do sleep 0.1; done
  end
fi
trap : USR1
signal=0
[ -z "${SLIPWAY_PERSISTENT:-}" ] || signal=USR1
(while sleep 1 && kill -$signal $$; do trim_states; done) > /dev/null 2>&1 &
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
# anvil may end before its last dump is complete, and with no other code.
if [ -e "$TAKEN" ] || [ -e "$NEXT" ]; then
  say 'the last dump of the chain is not complete: the next start continues from the one before it'
  [ $code -ne 0 ] || code=1
fi
# The operator takes a clean exit for a chain that the next start continues with.
if [ -z "${SLIPWAY_PERSISTENT:-}" ] && [ -z "$SAVED" ] && [ $code -eq 0 ]; then
  say 'the chain could not be saved, so the next start begins a new one'
  code=1
fi
exit $code
