import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Find } from '../store/find.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { ReadHeads } from './heads.ts';

/** Dependencies of the recording handlers. */
export interface RecordingDeps {
  kube: Store;
  cache: ObjectCache<RecordingResource>;
  find: Find<RecordingResource>;
  /** Watches the status that the operator reports for recordings. */
  waitFor: Reflector<RecordingResource>['waitFor'];
  networks: ObjectCache<NetworkResource>;
  findNetwork: Find<NetworkResource>;
  readHeads: ReadHeads;
}
