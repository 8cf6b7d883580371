import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RelayEvents } from '../../core/crosschain/relay/relay.ts';
import type { TokenContracts } from '../../core/deploy/artifacts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { LifecycleDeps } from '../network/lifecycle/lifecycle.ts';
import type { ChainOf } from '../ports/chains.ts';
import type { Journals } from '../ports/journals.ts';
import type { Signers } from '../ports/signers.ts';

export interface LayerZeroDeps extends LifecycleDeps {
  kube: Kube;
  /** Requires the indexes `uid`, `member` and `persistent`. */
  caches: { networks: Reflector<NetworkResource> };
  chainOf: ChainOf;
  journals: Journals;
  signers: Signers;
  contracts: TokenContracts;
  relayEvents: RelayEvents;
  clock: Clock;
  log: Log;
}
