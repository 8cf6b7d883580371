import { type Keyring, keyringFiles, parseKeyring } from '../../core/accounts/keyring.ts';
import { labelledId } from '../../core/api/ids.ts';
import { annotations, labels } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import { compact } from '../../core/lib/compact.ts';
import { dueSeal } from '../../core/networks/keyScopes.ts';
import { types } from '../../operator/ids/kinds.ts';
import type { Backup } from './contents.ts';
import { type AnyObject, isNetwork } from './kinds.ts';

/** The kinds whose objects have ids that others keep. Those of accounts are their names. */
const kindsWithIds = [...types.values()].map(({ kind }) => kind);

/**
 * The object with the id by which everything in its backup knows it. Before it had a label, that was its uid, which a restore does
 * not keep; a network of that time also keeps the keys in its URLs.
 */
export function identified(object: Stored<AnyObject>, backup: Pick<Backup, 'keys'>): Stored<AnyObject> {
  const { metadata, kind } = object;
  if (kind === 'RpcKey') return withFormerUid(object);
  if (!kindsWithIds.includes(kind) || labelledId(metadata) !== undefined) return object;
  const seal = isNetwork(object) && object.status ? dueSeal(object, accessKeysIn(backup)) : undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [labels.id]: metadata.uid },
      annotations: { ...metadata.annotations, ...compact({ [annotations.formerKeys]: seal }) },
    },
  };
}

/** An RPC key is known by its uid, so that one that is made again has other URLs than the one before. */
function withFormerUid(object: Stored<AnyObject>): Stored<AnyObject> {
  const { metadata } = object;
  const own = { ...metadata.annotations, [annotations.formerUid]: metadata.uid };
  return { ...object, metadata: { ...metadata, annotations: own } };
}

function accessKeysIn({ keys }: Pick<Backup, 'keys'>): Keyring {
  const [text = ''] = keys.flatMap(({ data }) => data?.[keyringFiles.access] ?? []);
  return parseKeyring(Buffer.from(text, 'base64').toString('utf8'), keyringFiles.access);
}
