import { newMembership, newUser, newWorkspace } from '../../core/accounts/objects.ts';
import { adminUserId } from '../../core/api/names.ts';
import { membershipType, userType, workspaceType } from '../../core/api/resources/resources.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { type Background, createBackground } from '../background.ts';
import { createIfAbsent } from '../store/createOnce.ts';
import type { Store } from '../store/kubeErrors.ts';

const retryMs = 2000;

interface BootstrapOptions {
  kube: Pick<Store, 'create' | 'get'>;
  namespace: string;
  defaultWorkspaceId: string;
  clock: Clock;
  log: Log;
}

/** Creates the default workspace and its administrator if they do not exist. Any replica may be the first. */
async function ensureDefaults(options: Omit<BootstrapOptions, 'clock' | 'log'>): Promise<void> {
  const { kube, namespace, defaultWorkspaceId: id } = options;
  const wanted = newWorkspace({ namespace, id, name: id, owners: [adminUserId] });
  const workspace = await createIfAbsent(kube, workspaceType, wanted);
  const user = newUser({ namespace, id: adminUserId }, { name: 'Administrator', personalWorkspace: id });
  await createIfAbsent(kube, userType, user);
  await createIfAbsent(kube, membershipType, newMembership(workspace, adminUserId, 'owner'));
}

/** A startup step: the process serves once it is done. */
export function createBootstrap(options: BootstrapOptions): Background {
  const { clock, log } = options;
  const done = Promise.withResolvers<void>();

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await ensureDefaults(options);
        return done.resolve();
      } catch (error) {
        log.warn('cannot create the default workspace; will retry', { reason: messageOf(error) });
        await clock.sleep(retryMs, signal).catch(() => undefined);
      }
    }
  }

  return { ...createBackground(run), whenSynced: () => done.promise };
}
