import { z } from 'zod';
import { timeSchema } from '../common.ts';
import type { NamespacedObject } from './kubeObject.ts';

/** Maximum size of a stored sealed answer, in bytes: well below the limit of etcd. */
export const maxSealedAnswer = 900_000;

const sealedSchema = z.string().regex(/^slipway:v[12]:/);

/** A POST with an Idempotency-Key. Internal: the name is a keyed hash of caller and key. */
export const idempotencyRecordSpecSchema = z
  .strictObject({
    request: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Keyed hash of the operation and the body.'),
    seed: sealedSchema
      .max(1024)
      .describe('Sealed seed that ids and secrets of this request are derived from.'),
    heldUntil: timeSchema.describe(
      'Until this time, the replica that holds the record processes the request.',
    ),
    answer: sealedSchema
      .max(maxSealedAnswer)
      .optional()
      .describe('Sealed answer; absent until the request is answered.'),
  })
  .describe('A request and its answer.');
type IdempotencyRecordSpec = z.infer<typeof idempotencyRecordSpecSchema>;

export interface IdempotencyRecordResource extends NamespacedObject {
  kind: 'IdempotencyRecord';
  spec: IdempotencyRecordSpec;
}
