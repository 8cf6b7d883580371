import { withNewId } from '../../core/api/ids.ts';
import { annotations } from '../../core/api/names.ts';
import type { KubeObject, ResourceType, Stored } from '../../core/api/resources/kubeObject.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import { stamped } from '../../core/tracing/stamps.ts';
import { forCaller, type Store } from './kubeErrors.ts';

interface NewObject<T extends KubeObject> {
  type: ResourceType<T>;
  object: T;
  /** The mark of a request with an Idempotency-Key; undefined for other requests. */
  mark: string | undefined;
  /** Whether it is only tried: nothing is stored, and the answer has an id of zeros. */
  isDryRun?: boolean;
}

/**
 * Creates an object. An existing object of the same name is a Conflict, unless it has the mark of this request: then an
 * earlier attempt created it, and the answer was lost.
 */
export async function createOnce<T extends KubeObject>(
  kube: Pick<Store, 'create' | 'get'>,
  { type, object: wanted, mark, isDryRun = false }: NewObject<T>,
): Promise<Stored<T>> {
  if (isDryRun) return tried(kube, type, wanted);
  const object = withNewId(stamped(wanted));
  if (mark === undefined) return forCaller(kube.create(type, object));
  try {
    return await forCaller(kube.create(type, marked(object, mark)));
  } catch (error) {
    if (!isAppError(error, 'Conflict')) throw error;
    const live = await forCaller(kube.get(type, object.metadata));
    if (live?.metadata.annotations?.[annotations.idempotency] === mark) return live;
    throw error;
  }
}

/** Likewise, of an object whose name users choose: `whyTaken` says what the object of that name is doing. */
export function createNamed<T extends KubeObject>(
  kube: Pick<Store, 'create' | 'get'>,
  wanted: NewObject<T>,
  whyTaken: (name: string) => string = () => 'already exists in this workspace: use another name',
): Promise<Stored<T>> {
  return createOnce(kube, wanted).catch((error: unknown) => {
    if (!isAppError(error, 'Conflict')) throw error;
    const { name } = wanted.object.metadata;
    const message = `a ${wanted.type.kind.toLowerCase()} named "${name}" ${whyTaken(name)}`;
    throw new AppError('Conflict', message, { details: [{ path: 'name', message }] });
  });
}

const idOfNone = '00000000-0000-0000-0000-000000000000';

/** What would be stored. A name that is taken is a Conflict, as it would be. */
async function tried<T extends KubeObject>(
  kube: Pick<Store, 'get'>,
  type: ResourceType<T>,
  object: T,
): Promise<Stored<T>> {
  const { metadata } = object;
  if (await forCaller(kube.get(type, metadata)))
    throw new AppError('Conflict', `"${metadata.name}" already exists`);
  return {
    ...object,
    metadata: {
      ...metadata,
      uid: idOfNone,
      resourceVersion: '0',
      generation: 1,
      creationTimestamp: '1970-01-01T00:00:00Z',
    },
  };
}

/** Creates the object, or returns the existing object of the same name. */
export async function createIfAbsent<T extends KubeObject>(
  kube: Pick<Store, 'create' | 'get'>,
  type: ResourceType<T>,
  object: T,
): Promise<Stored<T>> {
  return (await forCaller(createOrFind(kube, type, object))).object;
}

function marked<T extends KubeObject>(object: T, mark: string): T {
  const { metadata } = object;
  const own = { ...metadata.annotations, [annotations.idempotency]: mark };
  return { ...object, metadata: { ...metadata, annotations: own } };
}
