import { z } from 'zod';
import { timeSchema } from '../common.ts';
import type { NamespacedObject } from './kubeObject.ts';

/** Bytes of a sealed answer that are kept: well below what etcd takes. */
export const maxSealedAnswer = 900_000;

const sealedSchema = z.string().regex(/^slipway:v1:/);

/** What is known of a POST that came with an Idempotency-Key. Internal: the name is a keyed hash of caller and key. */
export const idempotencyRecordSpecSchema = z
  .strictObject({
    request: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Keyed hash of the operation and the body.'),
    seed: sealedSchema.max(1024).describe('Sealed: what ids and secrets of this request are derived from.'),
    heldUntil: timeSchema.describe('Until then the replica that holds the record works on the request.'),
    answer: sealedSchema.max(maxSealedAnswer).optional().describe('Sealed: the answer, once there is one.'),
  })
  .describe('A request and its answer.');
type IdempotencyRecordSpec = z.infer<typeof idempotencyRecordSpecSchema>;

export interface IdempotencyRecordResource extends NamespacedObject {
  kind: 'IdempotencyRecord';
  spec: IdempotencyRecordSpec;
}
