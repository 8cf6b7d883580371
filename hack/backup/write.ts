import type { KubeMeta, Stored } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Backup } from './contents.ts';
import { type AnyObject, typeOf } from './kinds.ts';
import { type Fate, waiting, withNewChain } from './networks.ts';
import { learnIncarnation, learnName, type Renames } from './renames.ts';
import { reseal, sealerOf } from './reseal.ts';
import { restoredAnnotation } from './target.ts';

interface WriterDeps {
  kube: Kube;
  backup: Backup;
  renames: Renames;
  /** What becomes of the chain of each network, by its former uid. */
  fates: ReadonlyMap<string, Fate>;
}

export interface Writer {
  /** Creates an object, and learns its new uid. One of the same name is taken over. */
  create(former: Stored<AnyObject>): Promise<void>;
  /** Writes the status of an object once all uids are known. */
  writeStatus(former: Stored<AnyObject>): Promise<void>;
}

export function createWriter({ kube, backup, renames, fates }: WriterDeps): Writer {
  const sealer = sealerOf(backup);
  /** By former uid. */
  const written = new Map<string, Stored<AnyObject>>();

  return {
    async create(former) {
      learnName(renames, former);
      const { status: _, ...object } = former;
      const plain = renames.apply({ ...object, metadata: metadataOf(former.metadata, backup.id) });
      const now = await put(kube, reseal(sealer, renames, { former, now: plain }));
      renames.add(former.metadata.uid, now.metadata.uid);
      if (former.kind === 'Network') learnIncarnation(renames, former, now.metadata.uid);
      written.set(former.metadata.uid, now);
    },
    async writeStatus(former) {
      const now = written.get(former.metadata.uid);
      if (!former.status || !now) return;
      const fate = fates.get(former.metadata.uid);
      const status = renames.apply(compact(statusOf(former, fate, backup.takenAt)));
      const { observedGeneration } = former.status;
      const isCurrent = observedGeneration !== undefined && observedGeneration === former.metadata.generation;
      const observed = isCurrent ? { observedGeneration: now.metadata.generation } : {};
      await kube.replace(typeOf(now), { ...now, status: { ...status, ...observed } }, 'status');
    },
  };
}

function statusOf(former: AnyObject, fate: Fate | undefined, takenAt: string): Record<string, unknown> {
  const { status = {} } = former;
  const network = former as unknown as NetworkResource;
  if (fate === 'new chain') return withNewChain(network, takenAt);
  return fate === 'kept' ? { ...status, ...waiting(network.status ?? {}) } : status;
}

/** What whoever created the object gave it. */
function metadataOf(former: KubeMeta, backupId: string): KubeMeta {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = former;
  return {
    name,
    ...compact({ namespace, labels, finalizers, ownerReferences }),
    annotations: { ...annotations, [restoredAnnotation]: backupId },
  };
}

/** What has the name already, from a new installation or an interrupted restore, becomes the object. */
async function put(kube: Kube, object: AnyObject): Promise<Stored<AnyObject>> {
  const type = typeOf(object);
  const { object: live, isNew } = await createOrFind(kube, type, object);
  if (isNew) return live;
  const { uid, resourceVersion } = live.metadata;
  return kube.replace(type, { ...object, metadata: { ...object.metadata, uid, resourceVersion } });
}
