import { z } from 'zod';
import { withRules } from '../../../../core/api/cel.ts';
import { storedEmailSchema, userIdSchema } from '../../../../core/api/resources/accountResources.ts';
import type { NamespacedObject } from '../../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../../core/api/resources/own.ts';
import { addressSchema } from '../../../../core/api/values.ts';

export const identitySpecSchema = z
  .strictObject({
    user: userIdSchema,
    oidc: z
      .strictObject({
        issuer: z.string().max(512).describe('The provider.'),
        subject: z.string().max(255).describe('What the provider calls the user, for good.'),
        email: storedEmailSchema
          .optional()
          .describe('The verified e-mail address at the provider when it was linked.'),
      })
      .optional()
      .describe('An account at an OpenID provider.'),
    wallet: z
      .strictObject({ address: addressSchema.describe('Address of the wallet.') })
      .optional()
      .describe('A key of Ethereum.'),
  })
  .meta(
    withRules(
      { rule: 'self == oldSelf', message: 'spec is immutable' },
      { rule: 'has(self.oidc) != has(self.wallet)', message: 'set either oidc or wallet' },
    ),
  )
  .describe('The user, and what signs in as them.');
export type IdentitySpec = z.infer<typeof identitySpecSchema>;

export interface IdentityResource extends NamespacedObject {
  kind: 'Identity';
  spec: IdentitySpec;
}
export const identityType = ownType<IdentityResource>('Identity');
