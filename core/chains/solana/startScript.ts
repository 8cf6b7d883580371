export const scriptPath = '/etc/slipway/start.sh';

/**
 * Runs the validator as a child. It leaves signals to their default, which does nothing to the first process of a
 * container: this one passes them on.
 */
export const startScript = `#!/bin/sh
solana-test-validator "$@" &
validator=$!
trap 'kill -TERM "$validator"' TERM INT
wait "$validator"
code=$?
# A signal ends the waiting before it ends the validator.
while kill -0 "$validator" 2> /dev/null; do
  wait "$validator"
  code=$?
done
exit "$code"
`;
