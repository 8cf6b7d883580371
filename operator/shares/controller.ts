import type { DefaultWorkspace } from '../../core/accounts/ids.ts';
import { renderWorkspaceShares, workspaceSharesFile } from '../../core/accounts/shares/workspaceShares.ts';
import { workspaceSharesObject } from '../../core/api/names.ts';
import type { WorkspaceResource } from '../../core/api/resources/accountResources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { configMapType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { writeServiceConfigMap } from '../runtime/serviceConfigMap.ts';

export interface SharesDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch'>;
  caches: { workspaces: Pick<Reflector<WorkspaceResource>, 'list' | 'onChange'> };
  defaultWorkspace: DefaultWorkspace;
  serviceNamespace: string;
  clock: Clock;
  log: Log;
}

const name = workspaceSharesObject;
/** Changes of many workspaces share one write. */
const settleMs = 1_000;

/** Writes which workspaces have one owner into one object, which the fork proxy mounts. */
export function createSharesController(deps: SharesDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'shares',
      workers: 1,
      reconcile: createReconcile(deps),
      watch({ add, addAfter }) {
        add(name);
        return deps.caches.workspaces.onChange(() => addAfter(name, settleMs));
      },
    },
    deps,
    settings,
  );
}

function createReconcile({ kube, caches, defaultWorkspace, serviceNamespace: namespace }: SharesDeps) {
  let written: string | undefined;
  return async () => {
    const text = renderWorkspaceShares(caches.workspaces.list(), defaultWorkspace);
    if (text === written) return { state: 'Unchanged' };
    const live = await kube.get(configMapType, { namespace, name });
    const isWritten = live?.data?.[workspaceSharesFile] === text;
    const data = { [workspaceSharesFile]: text };
    if (!isWritten) await writeServiceConfigMap(kube, { namespace, name, live, data });
    written = text;
    return { state: isWritten ? 'Unchanged' : 'Written' };
  };
}
