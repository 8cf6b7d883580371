import type { Surroundings } from '../../../apiserver/feature.ts';
import { addressInPath } from '../../../apiserver/http/pipeline/addressInPath.ts';
import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import type { StoredKind } from '../../../apiserver/store/storedKinds.ts';
import { updateLive } from '../../../apiserver/store/updateLive.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { usedAddressSchema } from '../../../core/api/values.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, budgetUsedUp } from '../../../core/lib/errors.ts';
import { stableJson } from '../../../core/lib/hash.ts';
import {
  type AddressName,
  type AddressNameResource,
  maxNames,
  addressNameType as type,
} from '../api/addressName.ts';
import { nameKey } from '../api/nameKey.ts';

interface BookDeps {
  kube: Surroundings['kube'];
  book: StoredKind<AddressNameResource>;
}

type Entry = Stored<AddressNameResource>;

export function listAddresses({ book }: BookDeps): Handler<'listAddresses'> {
  return async ({ principal }) => {
    const entries = book.cache.inNamespace(principal.namespace);
    const items = entries.map(toAddressName).sort((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1));
    return { body: { kind: 'AddressNameList', version: 'v1alpha', items } };
  };
}

/** A name that another address has is refused. kubectl can give it all the same: whoever uses it then is shown both addresses. */
export function setAddress({ kube, book }: BookDeps): Handler<'setAddress'> {
  return async ({ principal: { namespace }, params, body: spec }) => {
    const name = addressInPath(usedAddressSchema, params.address);
    const object: AddressNameResource = {
      apiVersion,
      kind: 'AddressName',
      metadata: { name, namespace },
      spec,
    };
    checkEntry(book.cache.inNamespace(namespace), object);
    const { object: found, isNew } = await forCaller(createOrFind(kube, type, object));
    const stored = isNew ? found : await replaceSpec(kube, object);
    await keepWithinRules(kube, { stored, before: isNew ? undefined : found });
    return { body: toAddressName(stored), objects: [`address ${name}`] };
  };
}

interface Written {
  stored: Entry;
  /** Undefined: the address had no name. */
  before: Entry | undefined;
}

/** Of requests that all saw a name or the last place free at the same moment, each now sees the others, and takes its own back. */
async function keepWithinRules(kube: BookDeps['kube'], { stored, before }: Written): Promise<void> {
  const { namespace, name, uid } = stored.metadata;
  const { items } = await forCaller(kube.list(type, { namespace }));
  const other = sameNamed(items, stored);
  const isOverLimit = !before && items.length > maxNames;
  if (!other && !isOverLimit) return;
  if (before) await replaceSpec(kube, { ...stored, spec: before.spec });
  else await forCaller(kube.delete(type, { namespace, name }, { uid }));
  throw other ? nameTaken(other) : bookFull(items.length - 1);
}

function replaceSpec(
  kube: BookDeps['kube'],
  { metadata: { name, namespace }, spec }: AddressNameResource,
): Promise<Entry> {
  return updateLive(kube, { type, namespace, name, absent: () => removedMeanwhile(name) }, (current) =>
    stableJson(current.spec) === stableJson(spec) ? current : { ...current, spec },
  );
}

export function removeAddress({ kube }: BookDeps): Handler<'removeAddress'> {
  return async ({ principal: { namespace }, params }) => {
    const ref = { namespace, name: addressInPath(usedAddressSchema, params.address) };
    const found = await forCaller(kube.get(type, ref));
    const wasThere = found && (await forCaller(kube.delete(type, ref, { uid: found.metadata.uid })));
    if (!wasThere) throw notNamed(ref.name);
    return { body: toAddressName(found), objects: [`address ${ref.name}`] };
  };
}

/** Refuses a name that another address has, and one entry more than a book has. */
function checkEntry(entries: readonly Entry[], wanted: AddressNameResource): void {
  const other = sameNamed(entries, wanted);
  if (other) throw nameTaken(other);
  const others = entries.filter(({ metadata }) => metadata.name !== wanted.metadata.name);
  if (others.length < entries.length || others.length < maxNames) return;
  throw bookFull(others.length);
}

function bookFull(count: number): AppError {
  return budgetUsedUp(`the address book has ${count} names, which is the limit: remove one`);
}

/** Another address with the same name. */
function sameNamed(entries: readonly Entry[], wanted: AddressNameResource): Entry | undefined {
  return entries.find(
    ({ metadata, spec }) =>
      metadata.name !== wanted.metadata.name && nameKey(spec.name) === nameKey(wanted.spec.name),
  );
}

function nameTaken({ metadata, spec }: Entry): AppError {
  const message = `"${spec.name}" is the name of ${metadata.name} in this workspace: use another name`;
  return new AppError('Conflict', message, { details: [{ path: 'name', message }] });
}

function removedMeanwhile(address: string): AppError {
  return new AppError('Conflict', `somebody removed ${address} from the address book meanwhile: retry`);
}

function notNamed(address: string): AppError {
  const message = `${address} is not in the address book of this workspace: list the book to see what is`;
  return new AppError('NotFound', message);
}

function toAddressName({ metadata: { name: address, creationTimestamp }, spec }: Entry): AddressName {
  const { name, note } = spec;
  return {
    kind: 'AddressName',
    version: 'v1alpha',
    address,
    name,
    ...compact({ note }),
    createdAt: creationTimestamp,
  };
}
