import { z } from 'zod';
import { timeSchema } from '../../../../core/api/common.ts';
import type { NamespacedObject } from '../../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../../core/api/resources/own.ts';

export const passwordSpecSchema = z
  .strictObject({
    user: z.string().max(63).describe('Id of the user.'),
    email: z
      .string()
      .max(254)
      .regex(/^[^@\s]+@[^@\s]+$/)
      .describe('The address that the user signs in with. It counts while it is that of the account.'),
    hash: z
      .string()
      .max(256)
      .regex(/^\$argon2id\$/)
      .describe(
        "Argon2id hash of the password and the address under the installation's pepper, bound to the user.",
      ),
    changedAt: timeSchema.describe('When it was set.'),
  })
  .describe('A password of a user, hashed.');
type PasswordSpec = z.infer<typeof passwordSpecSchema>;

export interface PasswordResource extends NamespacedObject {
  kind: 'Password';
  spec: PasswordSpec;
}
export const passwordType = ownType<PasswordResource>('Password');
