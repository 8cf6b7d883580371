import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type ErrorDetail, isAppError, refusalWith } from '../../core/lib/errors.ts';
import type { TokenDeps } from './deps.ts';

/** A network that a request names, and the path where it does. */
export interface NamedNetwork {
  path: string;
  id: string;
}

export type FoundNetwork = { path: string; network: Stored<NetworkResource> } | ErrorDetail;

/**
 * The networks of a workspace that a request names, in the same order, or the error for each that cannot be used. A
 * network of another workspace is reported like one that does not exist.
 */
export function findNetworks(
  { findNetwork }: Pick<TokenDeps, 'findNetwork'>,
  namespace: string,
  named: readonly NamedNetwork[],
): Promise<FoundNetwork[]> {
  return Promise.all(
    named.map(async ({ path, id }) => {
      try {
        const network = await findNetwork(namespace, id);
        const message = whyNot(network);
        return message === undefined ? { path, network } : { path, message };
      } catch (error) {
        if (!isAppError(error, 'NotFound')) throw error;
        return { path, message: 'no network has this id: use the id of a network in this workspace' };
      }
    }),
  );
}

/** The networks; throws BadRequest naming each one that cannot be used. */
export function networksOf(found: readonly FoundNetwork[]): Stored<NetworkResource>[] {
  refuse(found.flatMap((one) => ('message' in one ? [one] : [])));
  return found.flatMap((one) => ('network' in one ? [one.network] : []));
}

/** Throws BadRequest if there are any errors. */
export function refuse(details: ErrorDetail[]): void {
  if (details.length > 0) throw refusalWith('the token cannot be deployed', details);
}

function whyNot({ metadata, spec }: Stored<NetworkResource>): string | undefined {
  const { type } = spec.chain;
  if (!isEvmChain(type)) return `${type} networks do not support tokens: use EVM networks`;
  return metadata.deletionTimestamp === undefined
    ? undefined
    : 'the network is being deleted: use another one';
}
