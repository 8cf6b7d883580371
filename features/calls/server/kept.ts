import { randomBytes } from 'node:crypto';
import type { ObserveCalls, TakeCall } from '../../../apiserver/gateway/calls/observed.ts';
import type { Caches } from '../../../apiserver/store/caches.ts';
import type { Shares } from '../../../core/accounts/shares/shares.ts';
import { annotations } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { CallRings } from './rings.ts';

/** Whether the calls to a network are kept. */
export function isKept({ metadata }: Stored<NetworkResource>): boolean {
  return metadata.annotations?.[annotations.keepCalls] === 'true' && metadata.deletionTimestamp === undefined;
}

interface KeptDeps {
  networks: Pick<Caches['networks'], 'list' | 'onChange'>;
  shares: Pick<Shares, 'of'>;
  rings: CallRings;
  clock: Pick<Clock, 'nowMs'>;
}

/** Takes the calls of the networks for which that is switched on, and forgets those of all others. */
export function keepCalls({ networks, shares, rings, clock }: KeptDeps): ObserveCalls {
  const takers = new Map<string, TakeCall>();
  const nextId = createIds();
  const follow = (network: Stored<NetworkResource>, isGone: boolean) => {
    const { uid, namespace } = network.metadata;
    if (isGone || !isKept(network)) {
      if (takers.delete(uid)) rings.drop(uid);
    } else if (!takers.has(uid)) {
      const take: TakeCall = ({ error, method, params, ...call }) => {
        // A call that was under way when that was switched off.
        if (takers.get(uid) !== take) return;
        const owner = { uid, account: shares.of(namespace) };
        const time = new Date(clock.nowMs()).toISOString();
        const failure = error && { message: error.message, ...compact({ code: error.code }) };
        rings.add(owner, { ...call, id: nextId(), time, ...compact({ method, params, error: failure }) });
      };
      takers.set(uid, take);
    }
  };
  for (const network of networks.list()) follow(network, false);
  networks.onChange(({ type, object }) => follow(object, type === 'deleted'));
  return (uid) => takers.get(uid);
}

/** Ids that no other replica gives. */
function createIds(): () => string {
  const replica = randomBytes(6).toString('hex');
  let last = 0;
  return () => {
    last += 1;
    return `${replica}-${last}`;
  };
}
