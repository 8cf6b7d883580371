import type { NetworkSpec } from '../resources/network.ts';

/** Names of the secrets that a network refers to. */
export function secretNamesOf({ chain }: NetworkSpec): string[] {
  return Object.values(chain).flatMap((spec) => {
    if (typeof spec !== 'object') return [];
    const references = [
      'privateKeyRef' in spec ? spec.privateKeyRef : undefined,
      'mnemonicRef' in spec ? spec.mnemonicRef : undefined,
      'forking' in spec ? spec.forking?.sourceRef : undefined,
    ];
    return references.flatMap((reference) => (reference ? [reference.name] : []));
  });
}
