import { engineObjects } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { EngineWatch } from '../../core/engines/engineWatch.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { configMapType } from '../../core/kube/types.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { stableJson } from '../../core/lib/hash.ts';
import type { Log } from '../../core/lib/log.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import { writeServiceConfigMap } from '../runtime/serviceConfigMap.ts';
import type { WantedBoard } from './board.ts';
import { readWanted, renderWanted } from './object.ts';

export interface WantedDeps {
  kube: Pick<Kube, 'get' | 'create' | 'patch'>;
  caches: { networks: Pick<Reflector<NetworkResource>, 'list'> };
  engines: Pick<EngineWatch, 'current' | 'onChange'>;
  wanted: WantedBoard;
  serviceNamespace: string;
  clock: Clock;
  log: Log;
}

const key = engineObjects.wanted;

/**
 * Writes what networks wait for into one object, from which the builder takes its work. It must start first, so that no network
 * is reconciled before the term has begun here.
 */
export function createWantedController(deps: WantedDeps, settings: ControllerSettings): Controller {
  const { caches, engines, wanted } = deps;
  return defineController(
    {
      name: 'wanted',
      workers: 1,
      reconcile: createReconcile(deps),
      watch({ add }) {
        wanted.begin(caches.networks.list().map(({ metadata }) => metadata.uid));
        add(key);
        return stopAll([wanted.onChange(() => add(key)), engines.onChange(() => add(key))]);
      },
    },
    deps,
    settings,
  );
}

function createReconcile({ kube, engines, wanted, serviceNamespace: namespace }: WantedDeps) {
  let hasInherited = false;
  return async () => {
    const live = await kube.get(configMapType, { namespace, name: key });
    if (live && !hasInherited) wanted.inherit(readWanted(live));
    hasInherited = true;
    const { images } = engines.current();
    const missing = new Map([...wanted.all()].filter(([name]) => images[name] === undefined));
    const data = renderWanted(missing);
    const isWritten = live ? stableJson(live.data ?? {}) === stableJson(data) : missing.size === 0;
    if (!isWritten) await writeServiceConfigMap(kube, { namespace, name: key, live, data });
    return { state: isWritten ? 'Unchanged' : 'Written' };
  };
}
