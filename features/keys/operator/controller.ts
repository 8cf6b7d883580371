import type { Stored } from '../../../core/kube/kube.ts';
import { stopAll } from '../../../core/lib/work/stopAll.ts';
import type { Controller } from '../../../operator/runtime/controller.ts';
import { type ControllerSettings, defineController } from '../../../operator/runtime/defineController.ts';
import type { RpcKeyResource } from '../api/rpcKey.ts';
import type { KeyDeps } from './deps.ts';
import { createKeyReconcile } from './reconcile.ts';

/** RPC keys with names: lets them begin, and reports their URLs. A key is `namespace/name`. */
export function createKeyController(deps: KeyDeps, settings: ControllerSettings): Controller {
  const { keys, networks } = deps.caches;
  return defineController(
    {
      name: 'rpc-key',
      // One after the other: all of a workspace share a record.
      workers: 1,
      reconcile: createKeyReconcile(deps),
      watch(queue) {
        const add = ({ metadata }: Stored<RpcKeyResource>) =>
          queue.add(`${metadata.namespace}/${metadata.name}`);
        const addOf = (namespace: string, network: string) => {
          for (const one of keys.byIndex('namespace', namespace)) if (one.spec.network === network) add(one);
        };
        keys.list().forEach(add);
        return stopAll([
          // One that is gone makes room for another.
          keys.onChange(({ type, object }) =>
            type === 'deleted' ? addOf(object.metadata.namespace, object.spec.network) : add(object),
          ),
          networks.onChange(({ object }) => addOf(object.metadata.namespace, object.metadata.name)),
        ]);
      },
    },
    deps,
    settings,
  );
}
