import { z } from 'zod';
import { immutable, withRules } from '../../../core/api/cel.ts';
import { nameSchema, timeSchema } from '../../../core/api/common.ts';
import type { NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import { ownType } from '../../../core/api/resources/own.ts';

/** Every network has these keys: one with such a name could not be told from them. */
export const reservedNames: readonly string[] = ['admin', 'public'];
export const reservedRefusal = 'is a key that every network has: use another name';

/** Per network. */
export const maxKeys = 50;

const methodsSchema = z
  .array(
    z
      .string()
      .max(128)
      .regex(
        /^[A-Za-z0-9_.:/-]{1,127}\*?$/,
        'use the name of a method, such as "eth_call", or the beginning of names, such as "eth_*"',
      ),
  )
  .min(1)
  .max(100)
  .describe(
    'What the key may call: methods by name, or by the beginning of their names ("eth_*"), of those that the public URL offers. Absent: all of them, and the services that are not called by methods.',
  );

const expirySchema = timeSchema.describe('When the key stops opening the network; absent: never.');

export const rpcKeySpecSchema = z
  .strictObject({
    network: nameSchema.describe('Name of the network that the key opens. Immutable.'),
    expiresAt: expirySchema.optional(),
    methods: methodsSchema.optional(),
  })
  .meta(withRules(immutable('network', 'spec.network')))
  .describe('A key with a name in the RPC URLs of a network.');

export const rpcKeyStatusSchema = z
  .object({
    state: z.enum(['Active', 'Expired', 'Pending', 'Error']).describe('Whether the key opens its network.'),
    message: z.string().max(1024).optional().describe('Why it does not, and what to do.'),
    endpoints: z
      .record(z.string(), z.string())
      .optional()
      .describe('Service name to URL: whoever has one may do what the key allows.'),
  })
  .describe('What the operator reports.');
export type RpcKeyStatus = z.infer<typeof rpcKeyStatusSchema>;

export interface RpcKeyResource extends NamespacedObject {
  kind: 'RpcKey';
  spec: z.infer<typeof rpcKeySpecSchema>;
  status?: RpcKeyStatus;
}
export const rpcKeyType = ownType<RpcKeyResource>('RpcKey');

export const rpcKeySchema = z
  .object({
    kind: z.literal('RpcKey'),
    version: z.literal('v1alpha'),
    name: nameSchema.describe('Its name, unique in the workspace.'),
    createdAt: timeSchema.describe('Creation time.'),
    expiresAt: expirySchema.optional(),
    methods: methodsSchema.optional(),
    state: z.enum(['Active', 'Expired', 'Pending', 'Error']).describe('Whether the key opens the network.'),
    message: z.string().optional().describe('Why it does not, and what to do.'),
    endpoints: z.record(z.string(), z.string()).optional().describe('Service name to URL.'),
  })
  .describe('A key with a name in the RPC URLs of a network.');
export type RpcKey = z.infer<typeof rpcKeySchema>;

export const rpcKeyListSchema = z
  .object({
    kind: z.literal('RpcKeyList'),
    version: z.literal('v1alpha'),
    items: z.array(rpcKeySchema).describe('All of them, by name.'),
  })
  .describe('The keys of a network that have names.');

export const rpcKeyCreateSchema = z
  .strictObject({
    name: nameSchema.describe('Name of the key, unique in the workspace.'),
    expiresAt: expirySchema.optional(),
    methods: methodsSchema.optional(),
  })
  .describe('A key to create.');
export type RpcKeyCreate = z.infer<typeof rpcKeyCreateSchema>;

export const keyParams = z.object({
  id: z.string().describe('Id of the network.'),
  name: nameSchema.describe('Name of the key.'),
});
