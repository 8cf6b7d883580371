import type { Sealer } from '../../core/accounts/seal.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { UserResource } from '../../core/api/resources/accountResources.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Signer } from '../../core/signing/signer.ts';
import type { Signers } from '../ports/signers.ts';
import type { OutboxMetrics } from './metrics.ts';

export interface OutboxDeps {
  kube: Kube;
  caches: {
    outboxes: Reflector<OutboxResource>;
    networks: Reflector<NetworkResource>;
    secrets: Pick<Reflector<SecretResource>, 'get'>;
    users: Pick<Reflector<UserResource>, 'get'>;
  };
  /** The node of a network, or the one behind a service that is named; undefined while it is not ready. */
  rpcOf(networkUid: string, service?: string): EvmRpc | undefined;
  signer: Signer;
  /** The service's own account in a workspace's namespace. */
  serviceOf: Signers['serviceOf'];
  sealer: Sealer;
  installation: Pick<Installation, 'defaultWorkspace'>;
  serviceNamespace: string;
  metrics: OutboxMetrics;
  clock: Clock;
  log: Log;
}
