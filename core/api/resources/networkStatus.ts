import { z } from 'zod';
import { observedFields, timeSchema } from '../common.ts';
import { layerZeroStatusSchema } from './layerZero.ts';
import { pluginStatusesSchema } from './plugins.ts';
import { fromStatusSchema } from './snapshot.ts';

export const maintenanceActions = ['Restart', 'ResetState', 'Resync'] as const;

export const networkStates = ['Pending', 'Operational', 'Stopping', 'Stopped', 'Error'] as const;
export type NetworkState = (typeof networkStates)[number];

const accessKeyStateSchema = z.object({
  epoch: z.int().describe('How often the key was replaced.'),
  observedNonce: z.int().describe('Last nonce of spec.accessKeyRotation that was applied.'),
});

export const accessKeysStatusSchema = z
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
      .describe('Id of the chain that the network runs. It lasts as long as the data of the chain is kept.'),
    state: z.enum(networkStates).optional().describe('Network state.'),
    reason: z
      .string()
      .optional()
      .describe('Machine-readable reason for the state; absent if the state needs none.'),
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
    origin: z
      .string()
      .optional()
      .describe(
        'The uid that names of pods and volumes and secrets of engines derive from: that of the network before it was restored.',
      ),
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
        data: z
          .string()
          .optional()
          .describe('The pods and processes that had its data last: with others it may be lost.'),
        losses: z
          .int()
          .optional()
          .describe('How often the chain was lost with its pod or a stop, and with it the state of plugins.'),
        startedAt: timeSchema.optional().describe('When the chain first answered.'),
        volume: z
          .string()
          .optional()
          .describe(
            'uid of the volume with its data, or of each of them; if it changes, the data counts as lost.',
          ),
        copies: z
          .record(z.string(), z.string())
          .optional()
          .describe(
            'Of a chain of several nodes: uid of the volume, or else of the pod, in which each part has its copy of the data.',
          ),
        adjusted: z
          .string()
          .optional()
          .describe('Hash of the process that took over changed values while it ran, and of these values.'),
      })
      .optional()
      .describe('The chain that the network runs.'),
    instance: z
      .object({
        pod: z.string().describe('uid of its pod.'),
        restarts: z.int().describe('Restarts of its container.'),
        process: z
          .string()
          .optional()
          .describe('What the process itself says, if it tells itself from others.'),
      })
      .optional()
      .describe(
        'The process behind the service rpc that is known to run the chain. Nothing is signed for or sent to another one.',
      ),
    storage: z
      .enum(['Pod', 'Volume'])
      .optional()
      .describe('Where the data of the chain is: in its pod, and lost with it, or on a volume.'),
    previousChain: z
      .object({
        enclaveID: z.string().describe('Its incarnation.'),
        lastBlock: z.int().optional().describe('Number of its last block, if known.'),
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
