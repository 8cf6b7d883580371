import type { NetworkResource } from '../api/resources/network.ts';
import { AppError } from '../lib/errors.ts';

/** Why nothing can be done to the URLs of a LayerZero network, which are those of its members; undefined for all others. */
export function ownUrlsRefusal({ spec }: Pick<NetworkResource, 'spec'>, remedy: string): string | undefined {
  if (spec.chain.type !== 'LayerZero') return undefined;
  return `a LayerZero network has no URLs of its own: ${remedy}`;
}

/** Throws BadRequest, with the remedy, for a LayerZero network. */
export function requireOwnUrls(network: Pick<NetworkResource, 'spec'>, remedy: string): void {
  const refusal = ownUrlsRefusal(network, remedy);
  if (refusal !== undefined) throw new AppError('BadRequest', refusal);
}
