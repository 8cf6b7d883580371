import { originOf } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { kindsReadBy } from '../../store/kindsRead.ts';
import type { OnceRequest } from './once.ts';

/** The networks that a request names, by id: with another origin, it is another network, which was created with the same id. */
export type Origins = Readonly<Record<string, string>>;

/** The network of a namespace with this id. */
export type FindNetwork = (namespace: string, id: string) => Stored<NetworkResource> | undefined;

/** The origins of those that are ids of networks of the caller's workspace. */
export function originsOf(
  named: ReadonlySet<string>,
  { operationId, principal }: Pick<OnceRequest, 'operationId' | 'principal'>,
  find: FindNetwork,
): Origins {
  const kinds = kindsReadBy(operationId);
  // One that reads no networks does not wait for their cache.
  if (!principal || kinds?.includes(networkType.kind) === false) return {};
  return Object.fromEntries(
    [...named].flatMap((id) => {
      const network = find(principal.namespace, id);
      return network ? [[id, originOf(network)]] : [];
    }),
  );
}

/** Throws Conflict if an answer is about a network whose id another one has now: what it says was done is not there. */
export function checkOrigins(answered: Origins, now: Origins): void {
  const replaced = Object.keys(answered).find((id) => id in now && now[id] !== answered[id]);
  if (replaced === undefined) return;
  throw new AppError(
    'Conflict',
    `this Idempotency-Key was used for a network that was deleted; another one has its id ${replaced} now, and nothing was done: use a new key`,
  );
}
