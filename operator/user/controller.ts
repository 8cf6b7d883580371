import { defaultKeyName, labels } from '../../core/api/names.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import type { UserDeps } from './deps.ts';
import { createUserReconcile } from './reconcile.ts';

/** The user controller. Keys are user ids. */
export function createUserController(deps: UserDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'user',
      reconcile: createUserReconcile(deps),
      watch: (keys) => watchUserChanges(deps, keys.add),
    },
    deps,
    settings,
  );
}

/** Calls `add` with the id of each user that a change may affect. Call the returned function to stop. */
function watchUserChanges({ caches, secrets }: UserDeps, add: (id: string) => void): () => void {
  const stops = [
    caches.users.onChange(({ object }) => add(object.metadata.name)),
    caches.workspaces.onChange(({ object }) => object.spec.owners.forEach(add)),
    caches.memberships.onChange(({ type, object }) => {
      if (type === 'set') add(object.spec.user);
    }),
    secrets.onChange(({ object: { metadata } }) => {
      const owner = metadata.labels?.[labels.owner];
      if (metadata.name === defaultKeyName && owner !== undefined) add(owner);
    }),
  ];
  for (const { metadata } of caches.users.list()) add(metadata.name);
  // An account may have been deleted while no operator was watching.
  for (const { spec } of caches.memberships.list()) add(spec.user);
  return stopAll(stops);
}
