import { engineObjects } from '../../core/api/names.ts';
import { createBuilderLife } from '../../core/engines/builderLife.ts';
import { configMapType, leaseType } from '../../core/kube/types.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { releaseNamespace } from '../up/names.ts';
import { type BuilderFacts, describeBuilder } from './describe.ts';
import { kubeOf } from './local.ts';
import { readPublished } from './object.ts';
import { isBuilderRunning, logOfBuilder } from './service.ts';

/** The builder of engines as `make status` shows it. */
export async function builderStatus(kubeconfig: string): Promise<string[]> {
  const kube = kubeOf(kubeconfig);
  const inNamespace = (name: string) => ({ namespace: releaseNamespace, name });
  try {
    const [entries, wanted, lease] = await Promise.all([
      readPublished(kube),
      kube.get(configMapType, inNamespace(engineObjects.wanted)),
      kube.get(leaseType, inNamespace(engineObjects.builder)),
    ]);
    const life = createBuilderLife(systemClock, () => undefined);
    life.see(lease);
    const facts: BuilderFacts = {
      isRunning: isBuilderRunning(),
      isSeen: life.isAlive(),
      log: logOfBuilder(),
      entries,
      wanted: Object.keys(wanted?.data ?? {}),
    };
    life.stop();
    return describeBuilder(facts, Date.now());
  } finally {
    await kube.close();
  }
}
