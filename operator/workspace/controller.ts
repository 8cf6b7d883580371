import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { watchWorkspaceChanges } from './caches.ts';
import type { WorkspaceDeps } from './deps.ts';
import { createWorkspaceReconcile } from './reconcile.ts';

/** The workspace controller. Keys are workspace ids. */
export function createWorkspaceController(deps: WorkspaceDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'workspace',
      reconcile: createWorkspaceReconcile(deps),
      objectOf: (id) => deps.caches.workspaces.get({ namespace: deps.serviceNamespace, name: id }),
      watch: (keys) => watchWorkspaceChanges(deps.caches, keys.add),
    },
    deps,
    settings,
  );
}
