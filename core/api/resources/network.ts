import { z } from 'zod';
import { evmChains, noRealClient } from '../../chains/evm/evmChains.ts';
import { parseDuration } from '../../lib/duration.ts';
import { lowerCase, recordOf } from '../../lib/typed.ts';
import { type CelRule, forbiddenWhen, immutable, withRules } from '../cel.ts';
import {
  checkedAlways,
  checkNames,
  checkNewName,
  listMetaSchema,
  nameSchema,
  objectMetaSchema,
} from '../common.ts';
import {
  chainTypeNames,
  chainTypes,
  ethereumSpecSchema,
  isEvmChain,
  layer2SpecSchema,
  layer2Types,
  solanaSpecSchema,
  thorchainSpecSchema,
} from './chainSpecs.ts';
import type { NamespacedObject } from './kubeObject.ts';
import { checkLayerZero, layerZeroSpecSchema } from './layerZero.ts';
import { maintenanceActions, type NetworkStatus, networkStatusSchema } from './networkStatus.ts';
import { fromSpecSchema } from './snapshot.ts';

const [firstType, ...otherTypes] = chainTypeNames;

const chainMembers = Object.entries(chainTypes).map(([type, { member }]) => ({ type, member }));

/**
 * Exactly the member named after the type is set, and the type is immutable. kube-apiserver checks all rules at every write
 * of a network, of its status as well. So one rule says what is required, and ends with the first member that it finds.
 */
const chainRules: CelRule[] = [
  immutable('type', 'spec.chain.type'),
  {
    rule: chainMembers
      .map(({ type, member }) => `has(self.${member}) && self.type == '${type}'`)
      .join(' || '),
    message: 'the member of spec.chain that is named after spec.chain.type is required',
    messageExpression: `'spec.chain.' + self.type.lowerAscii() + ' is required when spec.chain.type is ' + self.type`,
    reason: 'FieldValueRequired',
  },
  ...chainMembers.map(({ type, member }) =>
    forbiddenWhen(
      `self.type != '${type}'`,
      member,
      `spec.chain.${member} is only for spec.chain.type ${type}: remove it`,
    ),
  ),
];

const typesWithoutSnapshots = chainTypeNames.filter((type) => !isEvmChain(type));
/** The profile "real" is only for chains with a client that runs without the rest of its public network. */
const profileRules = evmChains.flatMap((chain) => {
  const message = noRealClient(chain);
  if (message === undefined || chain.type === 'Ethereum') return [];
  const member = lowerCase(chain.type);
  const rule = `!has(self.${member}) || !has(self.${member}.profile) || self.${member}.profile != 'real'`;
  const path = `spec.chain.${member}.profile`;
  return [{ rule, message: `${path}: ${message}`, fieldPath: `.${member}.profile` }];
});

const layer2Members = recordOf(layer2Types.map((type) => [lowerCase(type), layer2SpecSchema.optional()]));

export const chainSchema = z
  .strictObject({
    type: z.enum([firstType ?? 'Ethereum', ...otherTypes]).describe('Chain type. Immutable.'),
    ethereum: ethereumSpecSchema.optional(),
    ...layer2Members,
    solana: solanaSpecSchema.optional(),
    layerzero: layerZeroSpecSchema.optional(),
    thorchain: thorchainSpecSchema.optional(),
  })
  .meta(withRules(...chainRules, ...profileRules))
  .describe('The chain: its type and the member named after it.');
export type ChainSpec = z.infer<typeof chainSchema>;

function nonceSchema(observed: string) {
  return z
    .int()
    .min(0)
    .optional()
    .describe(`The key is replaced when this differs from ${observed} (0 when unset).`);
}

/** A duration of at least `min`, as Go and Kubernetes write it. CEL and zod refuse a shorter one with the same message. */
function durationSchema(min: string, path: string) {
  const message = `must be at least ${min}`;
  return z
    .string()
    .min(2)
    .max(24)
    .regex(/^([0-9]{1,6}h)?([0-9]{1,6}m)?([0-9]{1,8}s)?$/, {
      error: 'use hours, minutes and seconds: "24h", "30m", "1h30m"',
      abort: true,
    })
    .refine((text) => parseDuration(text) >= parseDuration(min), message)
    .meta(withRules({ rule: `duration(self) >= duration('${min}')`, message: `${path} ${message}` }));
}

export const networkSpecSchema = z
  .strictObject({
    persistent: z.boolean().optional().describe('Keep the network running permanently, subject to quota.'),
    idleAfter: durationSchema('1m', 'spec.idleAfter')
      .optional()
      .describe(
        'The network stops when it has not been used for this time, such as "30m" or "2h"; when absent, the idle time of the installation after its last wake-up. The installation limits it. No effect on a persistent network.',
      ),
    expiresAfter: durationSchema('2m', 'spec.expiresAfter')
      .optional()
      .describe(
        'The network is deleted with its data when this time has passed since its creation, such as "24h". status.expiresAt has the time; an Event announces it. The installation limits it.',
      ),
    maintenanceRequest: z
      .strictObject({
        action: z.enum(maintenanceActions).optional().describe('Maintenance action to take.'),
        nonce: z
          .int()
          .min(0)
          .optional()
          .describe('Applied when it differs from status.observedMaintenanceNonce (0 when unset).'),
      })
      .optional()
      .describe('A maintenance action, applied once per nonce.'),
    accessKeyRotation: z
      .strictObject({
        publicNonce: nonceSchema('status.accessKeys.public.observedNonce'),
        adminNonce: nonceSchema('status.accessKeys.admin.observedNonce'),
      })
      .optional()
      .describe('Replaces the access keys in the URLs of the network. The old keys stop working at once.'),
    from: fromSpecSchema.optional(),
    chain: chainSchema,
  })
  .meta(
    withRules(
      forbiddenWhen(
        `self.chain.type in ${JSON.stringify(typesWithoutSnapshots)}`,
        'from',
        'spec.from is only for EVM networks, which have snapshots: remove it',
      ),
    ),
  )
  .describe('Desired state of the network.');
export type NetworkSpec = z.infer<typeof networkSpecSchema>;

/** The rules that REST checks beyond the shape; the CRD has the same rules in CEL. */
const checkedChainSchema = chainSchema
  .extend({ layerzero: layerZeroSpecSchema.superRefine(checkLayerZero, checkedAlways).optional() })
  .superRefine((chain, context) => {
    if (!chainTypeNames.includes(chain.type)) return;
    const wanted = chainTypes[chain.type].member;
    for (const { member } of Object.values(chainTypes)) {
      const isGiven = chain[member] !== undefined;
      if (isGiven === (member === wanted)) continue;
      const message = isGiven
        ? `remove it: only "${wanted}" is allowed when spec.chain.type is ${chain.type}`
        : `required when spec.chain.type is ${chain.type}`;
      context.addIssue({ code: 'custom', path: [member], message, input: chain });
    }
  }, checkedAlways);

const checkedNetworkSpecSchema = networkSpecSchema.extend({ chain: checkedChainSchema });

/** The Network custom resource. */
export interface NetworkResource extends NamespacedObject {
  kind: 'Network';
  spec: NetworkSpec;
  status?: NetworkStatus;
}

/** The Network as REST returns it. */
export const networkSchema = z
  .object({
    kind: z.literal('Network'),
    version: z.literal('v1alpha'),
    id: z.string(),
    name: nameSchema,
    ownerID: z.string().optional(),
    metadata: objectMetaSchema,
    spec: networkSpecSchema,
    status: networkStatusSchema.optional(),
  })
  .describe('A blockchain network.');
export type Network = z.infer<typeof networkSchema>;

export const networkListSchema = z.object({
  kind: z.literal('NetworkList'),
  version: z.literal('v1alpha'),
  items: z.array(networkSchema),
  metadata: listMetaSchema,
});

export const endpointSetSchema = z
  .object({
    kind: z.literal('EndpointSet'),
    version: z.literal('v1alpha'),
    metadata: objectMetaSchema,
    map: z.record(z.string(), z.string()).describe('Service name to URL.'),
  })
  .describe('The endpoints of a network.');
export type EndpointSet = z.infer<typeof endpointSetSchema>;

/** Body of POST and PUT. The response of a GET may be sent unchanged: fields that the service writes are ignored. */
export const networkInputSchema = z.strictObject({
  kind: z.literal('Network').optional(),
  version: z.literal('v1alpha').optional(),
  id: z.string().optional(),
  name: nameSchema.optional(),
  ownerID: z.string().optional(),
  metadata: objectMetaSchema.strict().optional(),
  spec: checkedNetworkSpecSchema,
  status: z.unknown().optional(),
});
export type NetworkInput = z.infer<typeof networkInputSchema>;

export const networkCreateSchema = networkInputSchema
  .superRefine(checkNewName, checkedAlways)
  .describe('A network to create.');

export const networkReplaceSchema = networkInputSchema
  .superRefine(checkNames, checkedAlways)
  .describe('A network with its complete spec.');
