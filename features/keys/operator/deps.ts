import type { Keyring } from '../../../core/accounts/keyring.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { RpcKeyRecordResource } from '../api/record.ts';
import type { RpcKeyResource } from '../api/rpcKey.ts';

export interface KeyDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch' | 'serverTimeMs'>;
  caches: {
    /** Requires the index `namespace`. */
    keys: Pick<Reflector<RpcKeyResource>, 'get' | 'list' | 'byIndex' | 'onChange' | 'observe'>;
    records: Pick<Reflector<RpcKeyRecordResource>, 'get' | 'observe'>;
    networks: Pick<Reflector<NetworkResource>, 'get' | 'onChange'>;
  };
  accessKeys: Keyring;
  installation: Pick<Installation, 'publicUrl' | 'serviceDomain'>;
  clock: Clock;
  log: Log;
}
