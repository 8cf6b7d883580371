import { z } from 'zod';
import { evmChains, noRealClient } from '../../chains/evm/evmChains.ts';
import { parseDuration } from '../../lib/duration.ts';
import { lowerCase, recordOf } from '../../lib/typed.ts';
import { forbiddenWhen, immutable, requiredWhen, withRules } from '../cel.ts';
import {
  checkedAlways,
  checkNames,
  checkNewName,
  listMetaSchema,
  nameSchema,
  objectMetaSchema,
  observedFields,
  timeSchema,
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
import { checkLayerZero, layerZeroSpecSchema, layerZeroStatusSchema } from './layerZero.ts';
import { pluginStatusesSchema } from './plugins.ts';
import { fromSpecSchema, fromStatusSchema } from './snapshot.ts';

const [firstType, ...otherTypes] = chainTypeNames;

/** Exactly the member named after the type is set, and the type is immutable. */
const chainRules = [
  immutable('type', 'spec.chain.type'),
  ...Object.entries(chainTypes).flatMap(([type, { member }]) => [
    requiredWhen(
      `self.type == '${type}'`,
      member,
      `spec.chain.${member} is required when spec.chain.type is ${type}`,
    ),
    forbiddenWhen(
      `self.type != '${type}'`,
      member,
      `spec.chain.${member} is only for spec.chain.type ${type}: remove it`,
    ),
  ]),
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

const maintenanceActions = ['Restart', 'ResetState', 'Resync'] as const;

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
        'The network is deleted with its data when this time has passed since its creation, such as "24h". status.expiresAt says when; an Event announces it. The installation limits it.',
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

export const networkStates = ['Pending', 'Operational', 'Stopping', 'Stopped', 'Error'] as const;
export type NetworkState = (typeof networkStates)[number];

const accessKeyStateSchema = z.object({
  epoch: z.int().describe('How often the key was replaced.'),
  observedNonce: z.int().describe('Last nonce of spec.accessKeyRotation that was applied.'),
});

const accessKeysStatusSchema = z
  .object({
    public: accessKeyStateSchema.describe('The key in the URLs for ordinary calls.'),
    admin: accessKeyStateSchema.describe('The key in the URLs that also change the chain by hand.'),
  })
  .describe('The access keys in the URLs of the network.');
export type AccessKeysStatus = z.infer<typeof accessKeysStatusSchema>;

export const networkStatusSchema = z
  .object({
    enclaveID: z
      .string()
      .optional()
      .describe('Incarnation of the network: changes when the data of its chain may have been lost.'),
    state: z.enum(networkStates).optional().describe('Network state.'),
    message: z.string().optional().describe('Human-readable reason for the current state.'),
    execution: z
      .object({
        output: z.string().max(4096).optional().describe('Output of provisioning.'),
        currentStep: z.int().optional().describe('Index of the running step.'),
        totalSteps: z.int().optional().describe('Total number of steps.'),
      })
      .optional()
      .describe('Progress of provisioning.'),
    chainSpecHash: z.string().optional().describe('Hash of the applied spec.chain.'),
    observedMaintenanceNonce: z.int().optional().describe('Last processed maintenance nonce.'),
    lastActivityAt: timeSchema.optional().describe('Time of the last activity.'),
    lastStoppedAt: timeSchema.optional().describe('When the network last reached Stopped.'),
    lastWakeUpAt: timeSchema
      .optional()
      .describe('When the network last resumed from Stopped or first started.'),
    expiresAt: timeSchema.optional().describe('When the network is deleted because of spec.expiresAfter.'),
    persistentUntil: timeSchema
      .optional()
      .describe(
        'When spec.persistent was set to false while the network ran. The network keeps its volumes until the idle stop, which counts from this time.',
      ),
    chainID: z.string().optional().describe('Chain id in use: from the spec, or generated.'),
    endpoints: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Service name to URL, as returned by GET /v1alpha/networks/{id}/endpoints. In Kubernetes without the admin services; over REST those are included for callers with networks:write.',
      ),
    adminServices: z
      .array(z.string())
      .optional()
      .describe(
        'Services whose URLs contain the admin key. In Kubernetes these URLs are in the Secret <name>-access, which the role view cannot read.',
      ),
    accessKeys: accessKeysStatusSchema.optional(),
    engineKey: z
      .object({
        incarnation: z.string().describe('The incarnation of the engine that it belongs to.'),
        id: z.string().describe('Id of the key in engine-keys.'),
      })
      .optional()
      .describe('The key of the installation that the secrets of the running engines derive from.'),
    observedWake: z.string().optional().describe('Last processed value of the wake annotation.'),
    observedStop: z.string().optional().describe('Last processed value of the stop annotation.'),
    reset: z
      .object({
        action: z.enum(['ResetState', 'Resync']).describe('Maintenance action.'),
        nonce: z.int().describe('Nonce of the action.'),
      })
      .optional()
      .describe('The ResetState or Resync that started the running chain.'),
    maintenance: z
      .object({
        count: z.int().describe('Requests that have begun so far.'),
        action: z.enum(maintenanceActions).optional().describe('Action of the request under way.'),
        nonce: z.int().optional().describe('Nonce of the request under way.'),
        since: timeSchema.optional().describe('When the request under way began.'),
      })
      .optional()
      .describe('Maintenance requests: a nonce that was used before takes effect again.'),
    incarnation: z
      .object({
        number: z.int().describe('Chains that the network had before this one.'),
        members: z
          .record(z.string(), z.string())
          .describe('Hash of each member of spec.chain that the chain depends on.'),
        profile: z
          .enum(['light', 'real'])
          .optional()
          .describe('The engine profile that it began with, for types with profiles.'),
        revision: z.int().describe('Counts changes that the chain took over with new pods on its volumes.'),
        losses: z
          .int()
          .optional()
          .describe(
            'Times that the chain was lost with its pod or a stop: what plugins know of it is lost as well.',
          ),
        startedAt: timeSchema.optional().describe('When the chain first answered.'),
        adjusted: z
          .string()
          .optional()
          .describe('Hash of the process that took over changed values while it ran, and of these values.'),
      })
      .optional()
      .describe('The chain that the network runs.'),
    storage: z
      .enum(['Pod', 'Volume'])
      .optional()
      .describe('Where the data of the chain is: in its pod, and lost with it, or on a volume.'),
    previousChain: z
      .object({
        enclaveID: z.string().describe('Its incarnation.'),
        lastBlock: z.int().optional().describe('Number of its last block, as far as known.'),
        endedAt: timeSchema.describe('When it ended.'),
        reason: z.string().describe('Why it ended.'),
      })
      .optional()
      .describe('The chain before this one, whose data is gone.'),
    genesis: z
      .object({
        incarnation: z.string().describe('The incarnation of the engine that it belongs to.'),
        at: timeSchema.describe('Timestamp of the first block.'),
      })
      .optional()
      .describe('Genesis time of a chain whose nodes must all know it in advance.'),
    fork: z
      .object({
        incarnation: z.string().describe('The incarnation of the engine that it belongs to.'),
        block: z.string().describe('Number of the block.'),
      })
      .optional()
      .describe(
        'The block of the public chain that the running chain forks. "latest" is the latest one when the chain begins.',
      ),
    from: fromStatusSchema.optional(),
    layerzero: layerZeroStatusSchema.optional(),
    plugins: pluginStatusesSchema.optional(),
    ...observedFields,
  })
  .describe('Observed state.');
export type NetworkStatus = z.infer<typeof networkStatusSchema>;

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
/** Body of POST .../rotate-keys. */
export const rotateKeysSchema = z
  .strictObject({
    keys: z
      .array(z.enum(['public', 'admin']))
      .min(1)
      .max(2)
      .optional()
      .describe('The access keys to replace; both when absent.'),
  })
  .describe('The access keys to replace.');

/** Query of GET .../logs. */
export const logQuerySchema = z.strictObject({
  service: nameSchema
    .optional()
    .describe('The part of the network, such as el-1 or cl-1; may be left out when it has only one.'),
  follow: z.enum(['true', 'false']).optional().describe('Whether the answer goes on with new lines.'),
  tail: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe('How many of the last lines; 1000 when absent.'),
});

export const networkReplaceSchema = networkInputSchema
  .superRefine(checkNames, checkedAlways)
  .describe('A network with its complete spec.');
