import type { Surroundings } from '../../../apiserver/feature.ts';
import type { Handler } from '../../../apiserver/http/pipeline/handler.ts';
import { forCaller } from '../../../apiserver/store/kubeErrors.ts';
import type { StoredKind } from '../../../apiserver/store/storedKinds.ts';
import { updateLive } from '../../../apiserver/store/updateLive.ts';
import { apiVersion } from '../../../core/api/names.ts';
import { usedAddressSchema } from '../../../core/api/values.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, refusalWith } from '../../../core/lib/errors.ts';
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

/** Two requests at the same moment may give one name to two addresses: kubectl may as well, and whoever uses the name is told. */
export function setAddress({ kube, book }: BookDeps): Handler<'setAddress'> {
  return async ({ principal: { namespace }, params, body: spec }) => {
    const name = objectNameOf(params.address);
    checkEntry(book.cache.inNamespace(namespace), { name, called: spec.name });
    const object: AddressNameResource = {
      apiVersion,
      kind: 'AddressName',
      metadata: { name, namespace },
      spec,
    };
    const { object: found, isNew } = await forCaller(createOrFind(kube, type, object));
    const stored = isNew ? found : await replaceSpec(kube, object);
    return { body: toAddressName(stored), objects: [`address ${name}`] };
  };
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
    const ref = { namespace, name: objectNameOf(params.address) };
    const found = await forCaller(kube.get(type, ref));
    const wasThere = found && (await forCaller(kube.delete(type, ref, { uid: found.metadata.uid })));
    if (!wasThere) throw notNamed(ref.name);
    return { body: toAddressName(found), objects: [`address ${ref.name}`] };
  };
}

/** Refuses what is no address, or was mistyped. */
function objectNameOf(address: string): string {
  const { error } = usedAddressSchema.safeParse(address);
  if (!error) return address.toLowerCase();
  const details = error.issues.map(({ message }) => ({ path: 'address', message }));
  throw refusalWith('invalid address in the path', details);
}

/** Refuses a name that another address has, and one entry more than a book has. */
function checkEntry(entries: readonly Entry[], { name, called }: { name: string; called: string }): void {
  const others = entries.filter(({ metadata }) => metadata.name !== name);
  const other = others.find(({ spec }) => nameKey(spec.name) === nameKey(called));
  if (other) throw nameTaken(other);
  if (others.length < entries.length || others.length < maxNames) return;
  const message = `the address book has ${others.length} names, which is the limit: remove one`;
  throw new AppError('TooManyRequests', message);
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
