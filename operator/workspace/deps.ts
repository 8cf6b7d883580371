import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { EventRecorder } from '../../core/kube/events/recorder.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { AccountCaches } from './caches.ts';

/** Dependencies of the workspace reconcile. */
export interface WorkspaceDeps {
  kube: Kube;
  caches: AccountCaches;
  events: EventRecorder;
  installation: Installation;
  serviceNamespace: string;
  serviceAccountKeys: Keyring;
  /** Has a file `<name>.json` for each of the installation's pull secrets. */
  pullSecretsFolder: string;
  clock: Clock;
  log: Log;
}
