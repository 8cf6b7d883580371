import { z } from 'zod';
import { nameSchema, timeSchema } from '../../../core/api/common.ts';
import type { CountsThere } from '../../../core/api/feature.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../core/api/resources/own.ts';

/** A workspace has one object, in its namespace. */
export const recordName = 'rpc-keys';

/** Names of keys. Of more, those whose keys are gone are summed up in `floor`. */
export const maxEntries = 2000;

const epochSchema = z.int().min(0);

const entrySchema = z.strictObject({
  uid: z.string().max(64).describe('uid of the RpcKey that opens the network.'),
  network: z.string().max(63).describe('Id of the network.'),
  epoch: epochSchema.describe('How many keys of this name there were before.'),
  at: timeSchema.describe('When it began.'),
});
export type KeyEntry = z.infer<typeof entrySchema>;

export const rpcKeyRecordSpecSchema = z
  .strictObject({
    keys: z.record(nameSchema, entrySchema).describe('By the name of the key.'),
    floor: epochSchema.optional().describe('The epoch with which a name without an entry begins.'),
  })
  .describe('Which RPC keys there were: none that was revoked opens a network again.');

type Spec = z.infer<typeof rpcKeyRecordSpecSchema>;

/**
 * The record of a backup as a restore writes it over the one that is there: no key that was revoked since opens a network again, and one
 * that is there keeps its URLs.
 */
export function raisedRecord(former: Spec, live: Spec | undefined, { first, uidOf }: CountsThere): Spec {
  const least = Math.max(live?.floor ?? 0, first);
  const raised = Object.entries(former.keys).map(([name, entry]) => {
    const now = live?.keys[name];
    const uid = uidOf(name);
    // Another tool gives a key another uid, and the record none.
    const isSame = uid !== undefined && now !== undefined && [uid, entry.uid].includes(now.uid);
    const next = now ? now.epoch + (isSame ? 0 : 1) : least;
    return [name, { ...entry, epoch: Math.max(entry.epoch, next) }] as const;
  });
  const floor = Math.max(former.floor ?? 0, live?.floor ?? 0);
  return { keys: { ...live?.keys, ...Object.fromEntries(raised) }, ...(floor > 0 ? { floor } : {}) };
}

export interface RpcKeyRecordResource extends NamespacedObject {
  kind: 'RpcKeyRecord';
  spec: Spec;
}
export const rpcKeyRecordType = ownType<RpcKeyRecordResource>('RpcKeyRecord');
