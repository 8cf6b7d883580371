import { z } from 'zod';
import { immutable, withRules } from '../cel.ts';
import {
  checkedAlways,
  checkNames,
  listMetaSchema,
  nameSchema,
  objectMetaSchema,
  observedFields,
  timeSchema,
} from '../common.ts';
import type { NamespacedObject } from './kubeObject.ts';

/** spec.from of a network. */
export const fromSpecSchema = z
  .strictObject({
    snapshot: nameSchema.describe('Name of a Snapshot of the same workspace.'),
  })
  .describe(
    'Each new chain of the network begins from this snapshot instead of an empty chain. Setting or changing it starts a new chain; removing it does not change the running chain. Only for networks that run on anvil.',
  );

const blockSchema = z.int().min(0).describe('Number of its last block.');
const snapshotChainIdSchema = z.string().describe('Chain id of the network that it was taken from.');
const digestSchema = z.string().describe('Identifies its content.');
const partsSchema = z.int().min(1).describe('Number of ConfigMaps that hold it.');
const forkBlockSchema = z
  .string()
  .optional()
  .describe('For a fork: the block of the public chain that it forks.');

/** status.from of a network. */
export const fromStatusSchema = z
  .object({
    incarnation: z.string().describe('The incarnation of the engine that it belongs to.'),
    snapshot: z.string().describe('Name of the snapshot.'),
    id: z.string().describe('Id of the snapshot.'),
    digest: digestSchema,
    parts: partsSchema,
    chainID: snapshotChainIdSchema,
    block: blockSchema,
    forkBlock: forkBlockSchema,
  })
  .describe('The snapshot that the running chain began from.');
export type FromStatus = z.infer<typeof fromStatusSchema>;

export const snapshotSpecSchema = z
  .strictObject({ network: nameSchema.describe('Name of a Network of the same workspace. Immutable.') })
  .meta(withRules(immutable('network', 'spec.network')))
  .describe('The network to take a snapshot of.');

export const snapshotStates = ['Pending', 'Ready', 'Failed'] as const;

export const snapshotStatusSchema = z
  .object({
    state: z
      .enum(snapshotStates)
      .optional()
      .describe(
        'Ready: it is stored completely, and outlives its network. Pending: it waits for its network. Failed: it will not be taken; create another one.',
      ),
    message: z.string().max(1024).optional().describe('Human-readable reason for the state.'),
    networkID: z.string().optional().describe('Id of the network that it was taken from.'),
    enclaveID: z.string().optional().describe('Incarnation of the network that it was taken from.'),
    chainType: z.string().optional().describe('Chain type of the network.'),
    chainID: snapshotChainIdSchema.optional(),
    forkBlock: forkBlockSchema,
    block: blockSchema.optional(),
    bytes: z.int().min(0).optional().describe('Stored size, which counts for the budget of the workspace.'),
    parts: partsSchema.optional(),
    digest: digestSchema.optional(),
    takenAt: timeSchema.optional().describe('When it was taken.'),
    ...observedFields,
  })
  .describe('Observed state.');
export type SnapshotStatus = z.infer<typeof snapshotStatusSchema>;

/** The Snapshot custom resource. */
export interface SnapshotResource extends NamespacedObject {
  kind: 'Snapshot';
  spec: z.infer<typeof snapshotSpecSchema>;
  status?: SnapshotStatus;
}

/** The Snapshot as REST returns it. */
export const snapshotSchema = z
  .object({
    kind: z.literal('Snapshot'),
    version: z.literal('v1alpha'),
    id: z.string(),
    name: nameSchema,
    ownerID: z.string().optional(),
    metadata: objectMetaSchema,
    spec: snapshotSpecSchema,
    status: snapshotStatusSchema.optional(),
  })
  .describe('The state of a network at one block.');
export type Snapshot = z.infer<typeof snapshotSchema>;

export const snapshotListSchema = z.object({
  kind: z.literal('SnapshotList'),
  version: z.literal('v1alpha'),
  items: z.array(snapshotSchema),
  metadata: listMetaSchema,
});

/** Body of POST. */
export const snapshotCreateSchema = z
  .strictObject({
    kind: z.literal('Snapshot').optional(),
    version: z.literal('v1alpha').optional(),
    name: nameSchema.optional(),
    metadata: objectMetaSchema.strict().optional(),
  })
  .superRefine(checkNames, checkedAlways)
  .describe('A snapshot to take; a name is generated if there is none.');
