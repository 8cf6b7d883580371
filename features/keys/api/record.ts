import { z } from 'zod';
import { nameSchema, timeSchema } from '../../../core/api/common.ts';
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

export interface RpcKeyRecordResource extends NamespacedObject {
  kind: 'RpcKeyRecord';
  spec: z.infer<typeof rpcKeyRecordSpecSchema>;
}
export const rpcKeyRecordType = ownType<RpcKeyRecordResource>('RpcKeyRecord');
