import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError, type ErrorDetail, isAppError } from '../../core/lib/errors.ts';
import type { TokenDeps } from './deps.ts';

/** Where a request names a network. */
export interface NetworkQuota {
  path: string;
  id: string;
}

export type FoundNetwork = { path: string; network: Stored<NetworkResource> } | ErrorDetail;

/**
 * The networks of a workspace that a request names, in its order, or why one cannot be had. One of another workspace is
 * as unknown as one that nobody has.
 */
export function findNetworks(
  { findNetwork }: Pick<TokenDeps, 'findNetwork'>,
  namespace: string,
  places: readonly NetworkQuota[],
): Promise<FoundNetwork[]> {
  return Promise.all(
    places.map(async ({ path, id }) => {
      try {
        const network = await findNetwork(namespace, id);
        const message = whyNot(network);
        return message === undefined ? { path, network } : { path, message };
      } catch (error) {
        if (!isAppError(error, 'NotFound')) throw error;
        return { path, message: 'there is no network with this id' };
      }
    }),
  );
}

/** The networks, or BadRequest that names each which cannot be had. */
export function networksOf(found: readonly FoundNetwork[]): Stored<NetworkResource>[] {
  refuse(found.flatMap((one) => ('message' in one ? [one] : [])));
  return found.flatMap((one) => ('network' in one ? [one.network] : []));
}

/** Throws BadRequest when something is wrong. */
export function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return;
  const list = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new AppError('BadRequest', `the token cannot be deployed: ${list}`.slice(0, 2000), { details });
}

function whyNot({ metadata, spec }: Stored<NetworkResource>): string | undefined {
  const { type } = spec.chain;
  if (!isEvmChain(type)) return `${type} networks take no tokens: name EVM networks`;
  return metadata.deletionTimestamp === undefined ? undefined : 'this network is being deleted';
}
