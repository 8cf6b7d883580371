import { idOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { ownedBy } from '../../../core/kube/ownedBy.ts';
import { type Pod, podType } from '../../../core/kube/types.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { isDown } from '../../../core/networks/wake.ts';
import { forCaller, type Store } from '../../store/kubeErrors.ts';

/**
 * The pod that runs a part of a network. Throws Conflict if there is none now, and BadRequest naming the parts if
 * `service` is not one of them, or is missing although there are several.
 */
export async function podOf(
  kube: Pick<Store, 'list'>,
  network: Stored<NetworkResource>,
  service: string | undefined,
): Promise<Stored<Pod>> {
  const { namespace, uid } = network.metadata;
  // A pod keeps the label that it was made with.
  const labelSelector = `${labels.network} in (${idOf(network)},${uid})`;
  const { items } = await forCaller(kube.list(podType, { namespace, labelSelector }));
  const pods = items.filter(ownedBy(network));
  const parts = [...new Set(pods.map(partOf))].sort();
  if (parts.length === 0) throw noPod(network);
  const part = service ?? (parts.length === 1 ? parts[0] : undefined);
  const [newest] = pods.filter((pod) => partOf(pod) === part).sort(newestFirst);
  if (newest?.spec.nodeName) return newest;
  if (newest) {
    const message = `${part} has not started, so there is no log yet: retry`;
    throw new AppError('Conflict', message, { retryAfterSeconds: 1 });
  }
  const what =
    service === undefined ? 'the network has several parts' : `the network has no part "${service}"`;
  const message = `${what}: name one of ${parts.join(', ')}`;
  throw new AppError('BadRequest', `service: ${message}`, { details: [{ path: 'service', message }] });
}

function partOf({ metadata }: Pod): string {
  return metadata.labels?.[labels.part] ?? '';
}

/** A pod that is being replaced comes after the one that replaces it. */
function newestFirst(a: Stored<Pod>, b: Stored<Pod>): number {
  const keyOf = ({ metadata }: Stored<Pod>) =>
    `${metadata.deletionTimestamp === undefined ? 1 : 0} ${metadata.creationTimestamp}`;
  return keyOf(a) > keyOf(b) ? -1 : 1;
}

function noPod(network: Stored<NetworkResource>): AppError {
  const { state = 'Pending', message } = network.status ?? {};
  if (network.spec.chain.type === 'LayerZero') {
    return new AppError(
      'Conflict',
      'a LayerZero network has no process of its own: read the logs of its members',
    );
  }
  if (isDown(network)) {
    return new AppError(
      'Conflict',
      `the network is ${state}, and its logs went with its pods: wake it first`,
    );
  }
  const reason = message === undefined ? '' : `: ${message}`;
  return new AppError('Conflict', `the network is ${state} and has no pod yet${reason}`);
}
