import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { ownerIndex } from '../../core/kube/ownedBy.ts';
import type { EndpointSlice, Service } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { EngineCaches } from '../../core/networks/engineSlices.ts';
import { openHeads } from '../../core/networks/heads/openHeads.ts';
import { createSharedHeads, type SharedHeads } from '../../core/networks/heads/sharedHeads.ts';
import { subscriptions } from '../../core/networks/heads/subscriptions.ts';
import { isRunning } from '../../core/networks/incarnation.ts';
import { createServiceLookup } from '../engines.ts';
import type { NetworkCaches } from '../network/deps.ts';

interface BlockNewsDeps {
  caches: EngineCaches & {
    networks: Pick<NetworkCaches['networks'], 'byIndex' | 'onChange'>;
    services: Pick<Reflector<Service>, 'byIndex'>;
    slices: Pick<Reflector<EndpointSlice>, 'byIndex' | 'onChange'>;
  };
  clock: Clock;
}

/** Services of an engine that take WebSockets. */
const socketServices = ['ws', 'rpc'];
const networksOf = ownerIndex(networkType.kind);

/** The newest blocks of EVM networks: one subscription for each network that this process follows. */
export function createBlockNews({ caches, clock }: BlockNewsDeps): SharedHeads {
  const urlOf = createServiceLookup(caches);
  return createSharedHeads({
    endpointOf(uid) {
      const [network] = caches.networks.byIndex('uid', uid);
      const family = network && isRunning(network) ? chainTypes[network.spec.chain.type].family : undefined;
      const [url] = socketServices.flatMap((service) => urlOf(uid, service) ?? []);
      const subscription = family === 'evm' ? subscriptions.evm : undefined;
      return subscription && url ? { subscription, url: url.replace(/^http/, 'ws') } : undefined;
    },
    onChange(listener) {
      return stopAll([
        caches.networks.onChange(({ object }) => listener(object.metadata.uid)),
        caches.slices.onChange(({ object }) => {
          const owners = (object.metadata.ownerReferences ?? []).map(({ uid }) => uid);
          const services = owners.flatMap((owner) => caches.services.byIndex('uid', owner));
          services.flatMap(networksOf).forEach(listener);
        }),
      ]);
    },
    open: openHeads,
    clock,
  });
}
