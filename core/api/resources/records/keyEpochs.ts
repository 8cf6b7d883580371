import { z } from 'zod';
import { timeSchema } from '../../common.ts';
import type { NamespacedObject } from '../kubeObject.ts';
import { accessKeysStatusSchema } from '../networkStatus.ts';

/** A workspace has one object, in its namespace. */
export const keyEpochsName = 'rotated-keys';

/** Networks whose keys were rotated. Of more, those that are gone are summed up in `floor`. */
export const maxKeyEpochs = 2_000;

export const keyEpochsSpecSchema = z
  .strictObject({
    networks: z
      .record(
        z.string().max(63),
        accessKeysStatusSchema.extend({ at: timeSchema.describe('When it was rotated last.') }),
      )
      .describe('The keys of networks, by id.'),
    floor: z
      .int()
      .min(0)
      .optional()
      .describe(
        'The highest epoch of networks that are no longer listed: a network without an entry begins with it.',
      ),
  })
  .describe(
    'Access keys that were rotated: none of the former ones opens a network again, even one that is created again.',
  );
export type KeyEpochsSpec = z.infer<typeof keyEpochsSpecSchema>;

/** The rotated keys of a workspace's networks; they outlive them. Internal: only the operator writes it. */
export interface KeyEpochsResource extends NamespacedObject {
  kind: 'KeyEpochs';
  spec: KeyEpochsSpec;
}
