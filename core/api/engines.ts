import { z } from 'zod';

/**
 * Programs that networks run on. An installation has an image of each that it supports; evm-dev is required.
 * `service` is the image of Slipway itself, for programs of plugins that are part of it.
 */
export const engineNames = [
  'evm-dev',
  'ethereum-genesis',
  'geth',
  'reth',
  'nethermind',
  'erigon',
  'besu',
  'lighthouse',
  'teku',
  'nimbus',
  'nimbus-validator',
  'lodestar',
  'grandine',
  'prysm',
  'prysm-validator',
  'thornode',
  'solana',
  'solana-dev',
  'chainlink',
  'drand',
  // The image of the processes themselves: it has the programs of plugins that are ours.
  'service',
  'postgres',
  'graph',
  'op-geth',
  'op-sequencer',
  'bsc',
  'avalanchego',
] as const;
export type EngineName = (typeof engineNames)[number];

/** Those that `make engines` and the builder of `make up` can build from this repository. */
export const buildableEngines: ReadonlySet<EngineName> = new Set([
  'ethereum-genesis',
  'geth',
  'prysm',
  'prysm-validator',
  'thornode',
  'solana',
  'solana-dev',
  'chainlink',
  'drand',
  'postgres',
  'graph',
  'op-geth',
  'op-sequencer',
  'bsc',
  'avalanchego',
]);

/** `cpu: 1` is a number in YAML. */
const quantitySchema = z.union([z.string(), z.number().transform(String)]);
const resourcesSchema = z.object({
  requests: z.record(z.string(), quantitySchema).optional(),
  limits: z.record(z.string(), quantitySchema).optional(),
});

const pullPolicySchema = z.enum(['Always', 'IfNotPresent', 'Never']).default('IfNotPresent');

/** What the chart says of an engine: an entry of the ConfigMap `engineObjects.chart`. Without an image, others may provide it. */
export const chartEngineSchema = z.object({
  image: z.string().min(1).optional(),
  pullPolicy: pullPolicySchema,
  resources: resourcesSchema.optional(),
  /** Images that a network may use instead of `image`: complete references, or prefixes that end in `*`. */
  allowedImages: z.array(z.string().min(1)).default([]),
});
export type ChartEngine = z.infer<typeof chartEngineSchema>;

/** An engine as networks run it. */
export type Engine = ChartEngine & { image: string };
export type Engines = Partial<Record<EngineName, Engine>>;

const sinceSchema = z.iso.datetime();
/** A typical time, as a clause: `about 2 minutes`. */
const takesSchema = z.string().min(1).max(80);

/** What is available of an engine besides the chart's image: an entry of the ConfigMap `engineObjects.available`. */
export const availableEngineSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('Available'), image: z.string().min(1), pullPolicy: pullPolicySchema }),
  z.object({ state: z.literal('Buildable'), takes: takesSchema }),
  z.object({ state: z.literal('Building'), takes: takesSchema, since: sinceSchema }),
  z.object({
    state: z.literal('Failed'),
    takes: takesSchema,
    since: sinceSchema,
    reason: z.string().min(1).max(500),
  }),
]);
export type AvailableEngine = z.infer<typeof availableEngineSchema>;
