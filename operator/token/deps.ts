import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { TokenContracts } from '../../core/deploy/artifacts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { EventRecorder } from '../../core/kube/events/recorder.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ChainOf } from '../ports/chains.ts';
import type { Journals } from '../ports/journals.ts';
import type { Signers } from '../ports/signers.ts';

export interface TokenDeps {
  kube: Kube;
  caches: {
    tokens: Reflector<TokenResource>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'byIndex' | 'onChange'>;
  };
  chainOf: ChainOf;
  journals: Journals;
  signers: Signers;
  contracts: TokenContracts;
  events: EventRecorder;
  clock: Clock;
  log: Log;
}
