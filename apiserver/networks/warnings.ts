import type { NetworkSpec } from '../../core/api/resources/network.ts';
import { secretNamesOf } from '../../core/api/rules/secretReferences.ts';
import type { NetworkDeps } from './deps.ts';

interface Named {
  namespace: string;
  spec: NetworkSpec;
  /** What the network had before; undefined for a new one. */
  current?: NetworkSpec;
}

/** The secrets that a spec newly names and that are not there. They may come later: the network waits for them. */
export function missingSecrets(
  { hasSecret }: Pick<NetworkDeps, 'hasSecret'>,
  { namespace, spec, current }: Named,
): string | undefined {
  const known = current ? secretNamesOf(current) : [];
  const missing = secretNamesOf(spec).filter((name) => !known.includes(name) && !hasSecret(namespace, name));
  return joined(missing.map((name) => `there is no secret "${name}" in this workspace: create it`));
}

/** Several warnings as one. */
export function joined(warnings: readonly (string | undefined)[]): string | undefined {
  return warnings.filter((text) => text !== undefined).join('; ') || undefined;
}
