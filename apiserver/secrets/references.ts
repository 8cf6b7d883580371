import type { NetworkResource } from '../../core/api/resources/network.ts';

/** Names of the secrets that a network refers to. */
export function secretNamesOf({ spec }: NetworkResource): string[] {
  return Object.values(spec.chain).flatMap((chain) => {
    if (typeof chain !== 'object') return [];
    const names: string[] = [];
    if ('privateKeyRef' in chain && chain.privateKeyRef) names.push(chain.privateKeyRef.name);
    if ('mnemonicRef' in chain && chain.mnemonicRef) names.push(chain.mnemonicRef.name);
    return names;
  });
}
