export const scriptPath = '/etc/slipway/start.sh';
/** Where a fork's own arguments begin. */
export const forkFlag = '--url';

/**
 * Runs the validator on the chain at `ledger`. It needs only `sh` and solana-test-validator. The validator is a child process,
 * because it does not handle signals, and their default action does not apply to the first process of a container.
 */
export function renderStartScript(ledger: string): string {
  return `#!/bin/sh
if [ -e '${ledger}/genesis.bin' ]; then
  # What a fork copies was copied already: from here on, a source that is away takes nothing from it.
  is_own=yes
  for argument in "$@"; do
    shift
    [ "$argument" = ${forkFlag} ] && is_own=
    [ "$is_own" ] && set -- "$@" "$argument"
  done
fi
# A signal that arrives before the validator has begun must not be lost.
validator=
ending=
trap 'ending=yes; [ -z "$validator" ] || kill -TERM "$validator"' TERM INT
solana-test-validator "$@" &
validator=$!
[ -z "$ending" ] || kill -TERM "$validator"
wait "$validator"
code=$?
# A signal ends the waiting before it ends the validator.
while kill -0 "$validator" 2> /dev/null; do
  wait "$validator"
  code=$?
done
exit "$code"
`;
}
