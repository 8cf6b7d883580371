import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { PluginName } from '../../core/api/resources/plugins.ts';
import type { ChosenPlugin } from '../../core/api/rules/plugins.ts';
import type { TokenContracts } from '../../core/deploy/artifacts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { EventRecorder } from '../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import type { Pod } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ChainOf } from '../ports/chains.ts';
import type { Journals } from '../ports/journals.ts';
import type { Signers } from '../ports/signers.ts';
import type { PluginBoard } from './board.ts';
import type { CallService } from './services.ts';

export interface PluginDeps {
  kube: Kube;
  caches: {
    networks: Pick<Reflector<NetworkResource>, 'byIndex' | 'list' | 'onChange' | 'observe'>;
    pods: Pick<Reflector<Pod>, 'byIndex' | 'list' | 'onChange'>;
  };
  board: PluginBoard;
  chainOf: ChainOf;
  journals: Journals;
  signers: Pick<Signers, 'serviceOf'>;
  contracts: TokenContracts;
  callService: CallService;
  events: EventRecorder;
  clock: Clock;
  log: Log;
}

/** A plugin of a network. */
export interface PluginRef {
  network: Stored<NetworkResource>;
  name: PluginName;
}

/** The key under which the controller queues a plugin. */
export const pluginKey = (networkUid: string, name: string): string => `${networkUid}/${name}`;

/** A plugin that the network's spec enables. */
export interface PluginCase extends PluginRef {
  chosen: ChosenPlugin;
}
