import type { Keyring, KeyringName } from '../../core/accounts/keyring.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { SnapshotResource } from '../../core/api/resources/snapshot.ts';
import type { SystemContracts } from '../../core/chains/systemContracts.ts';
import type { EngineWatch } from '../../core/engines/engineWatch.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { ConfigMap, PersistentVolumeClaim, Pod, Service } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { PluginRegistry } from '../../core/plugins/registry.ts';
import type { PluginBoard } from '../plugin/board.ts';
import type { WantedBoard } from '../wanted/board.ts';
import type { WarmEngines } from '../warm/warmEngines.ts';
import type { ReadForkHead } from './forkSource.ts';
import type { LifecycleDeps } from './lifecycle/lifecycle.ts';
import type { MemberAddressesOf } from './lifecycle/members.ts';
import type { ReferenceReader } from './references.ts';
import type { AccessSecrets } from './render/accessSecret.ts';

export interface NetworkCaches {
  networks: Reflector<NetworkResource>;
  secrets: Reflector<SecretResource>;
  snapshots: Reflector<SnapshotResource>;
  pods: Reflector<Pod>;
  services: Reflector<Service>;
  configMaps: Reflector<ConfigMap>;
  volumeClaims: Reflector<PersistentVolumeClaim>;
}

export interface NetworkDeps extends LifecycleDeps {
  kube: Kube;
  caches: NetworkCaches;
  references: ReferenceReader;
  keys: Pick<Record<KeyringName, Keyring>, 'access' | 'engines' | 'forks'>;
  accessSecrets: AccessSecrets;
  readForkHead: ReadForkHead;
  /** The id of the process that answers at a URL; undefined if none does. */
  readProcess(url: string): Promise<string | undefined>;
  systemContracts: SystemContracts;
  /** What this version runs, if absent. */
  pluginRegistry?: PluginRegistry;
  plugins: PluginBoard;
  engines: Pick<EngineWatch, 'current' | 'onChange'>;
  /** Which engines networks wait for. */
  wanted: Pick<WantedBoard, 'set' | 'waiting'>;
  /** The RPC client of the node behind a service of a network, `rpc` if none is named; undefined while it is not ready. */
  rpcOf(networkUid: string, service?: string): EvmRpc | undefined;
  /** If absent, the keys of members are not funded. */
  memberAddressesOf?: MemberAddressesOf;
  /**
   * When the last transaction was accepted that a network's process acknowledged and whose outcome is not stored. If absent, no
   * end of an engine waits for one.
   */
  lastUnsettledMs?(network: Stored<NetworkResource>): number | undefined;
  /** If absent, no network gets a pod that waited for it. */
  warm?: WarmEngines;
  clock: Clock;
  log: Log;
}
