import type { Keyring } from '../../core/accounts/keyring.ts';
import { labelledId } from '../../core/api/ids.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { NamespacedObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType } from '../../core/api/resources/resources.ts';
import type { EventRecorder } from '../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Log } from '../../core/lib/log.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import { dueSeal } from '../../core/networks/keyScopes.ts';
import type { Controller } from '../runtime/controller.ts';
import { type ControllerSettings, defineController } from '../runtime/defineController.ts';
import type { Holders } from './holders.ts';
import { type IdCaches, types } from './kinds.ts';

export interface IdDeps {
  kube: Pick<Kube, 'patch'>;
  /** Requires the index `id`. */
  caches: IdCaches;
  holders: Holders;
  accessKeys: Keyring;
  events: EventRecorder;
  clock: Clock;
  log: Log;
}

/**
 * Labels each object that was created without an id with its uid, and likewise each one that repeats the id of an older object
 * of its workspace. A key is `kinds/namespace/name`. The other controllers leave an object alone until then (`isIdentified`).
 */
export function createIdController(deps: IdDeps, settings: ControllerSettings): Controller {
  return defineController(
    {
      name: 'id',
      async reconcile(key) {
        const [kinds = '', namespace = '', name = ''] = key.split('/');
        const object = deps.caches[kinds]?.get({ namespace, name });
        if (!object || isIdentified(deps, object)) return {};
        return { state: await identify(deps, kinds, object) };
      },
      watch(keys) {
        const stops = cachesWithIds(deps.caches).map(([kinds, cache]) => {
          const add = (object: Stored<NamespacedObject>) => {
            const { namespace, name } = object.metadata;
            if (!isIdentified(deps, object)) keys.add(`${kinds}/${namespace}/${name}`);
          };
          cache.list().forEach(add);
          return cache.onChange(({ type, object }) => {
            if (type === 'deleted') deps.holders.forget(kinds, object);
            add(object);
          });
        });
        return stopAll(stops);
      },
    },
    deps,
    settings,
  );
}

const cachesWithIds = (caches: IdCaches) => Object.entries(caches).filter(([kinds]) => types.has(kinds));

type Known = Pick<IdDeps, 'holders' | 'accessKeys'>;

/** Whether an object has its final id; true for kinds without ids. */
export function isIdentified(known: Known, object: { kind?: string; metadata: object }): boolean {
  const type = [...types.values()].find(({ kind }) => kind === object.kind);
  if (!type) return true;
  const one = object as Stored<NamespacedObject>;
  // An object that is being deleted keeps its id.
  if (one.metadata.deletionTimestamp !== undefined) return true;
  return (
    labelledId(one.metadata) !== undefined &&
    !isTaken(known, type.plural, one) &&
    sealFor(known, one) === undefined
  );
}

/** Whether another object of its workspace had its id first. */
function isTaken({ holders }: Known, kinds: string, object: Stored<NamespacedObject>): boolean {
  const id = labelledId(object.metadata);
  return id !== undefined && id !== object.metadata.uid && !holders.keeps(kinds, object);
}

/** A network of 0.3 keeps its access keys. */
function sealFor({ accessKeys }: Known, object: Stored<NamespacedObject>): string | undefined {
  return object.kind === networkType.kind
    ? dueSeal(object as Stored<NetworkResource>, accessKeys)
    : undefined;
}

async function identify(deps: IdDeps, kinds: string, object: Stored<NamespacedObject>): Promise<string> {
  const { namespace, name, uid } = object.metadata;
  const former = labelledId(object.metadata);
  const hasOther = isTaken(deps, kinds, object);
  const id = former === undefined || hasOther ? uid : former;
  const own = compact({
    labels: id === former ? undefined : { [labels.id]: id },
    annotations: annotationOf(deps, object, hasOther),
  });
  try {
    // The uid is a precondition: a later object with the same name has its own id.
    const body = { metadata: { uid, ...own } };
    const type = types.get(kinds) as ResourceType<NamespacedObject>;
    deps.caches[kinds]?.observe(await deps.kube.patch(type, { namespace, name }, body));
  } catch (error) {
    if (isAppError(error, 'NotFound') || isAppError(error, 'Conflict')) return 'Gone';
    throw error;
  }
  if (hasOther) {
    const message = `another object of this workspace has the id ${former}, so this one has its uid as id: leave the label ${labels.id} out of manifests that are applied under several names`;
    deps.events.record(object, { type: 'Warning', reason: 'IdTaken', message });
  }
  return 'Identified';
}

function annotationOf(deps: IdDeps, object: Stored<NamespacedObject>, hasOther: boolean) {
  const seal = hasOther ? undefined : sealFor(deps, object);
  return seal === undefined ? undefined : { [annotations.formerKeys]: seal };
}
