import { z } from 'zod';
import { evmChains } from '../../chains/evm/evmChains.ts';
import { lowerCase, recordOf } from '../../lib/typed.ts';
import { withRules } from '../cel.ts';
import { localObjectReferenceSchema } from '../common.ts';
import { layerZeroSpecSchema } from './layerZero.ts';
import { pluginsSchema } from './plugins.ts';

const maxChainId = Number.MAX_SAFE_INTEGER;
const chainIdMessage = `use a decimal chain id between 1 and ${maxChainId}`;

/** Clients keep it in a double. */
const evmChainIdSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,15}$/, { error: chainIdMessage, abort: true })
  .refine((text) => Number(text) <= maxChainId, chainIdMessage)
  .meta(withRules({ rule: `int(self) <= ${maxChainId}`, message: chainIdMessage }))
  .describe('Decimal chain id. Generated when omitted.');

const privateKeyRef = localObjectReferenceSchema.describe(
  'Secret with the hot key, which is funded at genesis.',
);

export const forkingSchema = z
  .strictObject({
    enabled: z.boolean().optional().describe('Fork the state of the public network.'),
    blockHeight: z
      .string()
      .regex(/^(latest|0|[1-9][0-9]{0,18})$/, 'use a block number or "latest"')
      .optional()
      .describe('Block height to fork from: a number or "latest".'),
    sourceRef: localObjectReferenceSchema
      .optional()
      .describe(
        "Secret of type rpc-url with the URL to fork from, instead of the installation's source. Only hosts that the installation allows.",
      ),
  })
  .describe(
    'Fork of a public network. The source is configured by the installation (chart value forkSources), or named by sourceRef.',
  );

export const profiles = ['light', 'real'] as const;
export type Profile = (typeof profiles)[number];
/** What a network of a type with profiles runs when it has not begun and does not say. */
export const defaultProfile: Profile = 'light';

const profileSchema = (light: string, real: string) =>
  z
    .enum(profiles)
    .optional()
    .describe(
      `Engine: "light" (default), ${light}, or "real", ${real}. A network that has started keeps its profile if none is named.`,
    );

export const elTypes = ['geth', 'reth', 'nethermind', 'erigon', 'besu'] as const;
export const clTypes = ['lighthouse', 'teku', 'nimbus', 'lodestar', 'grandine', 'prysm'] as const;

/** What a participant runs when it does not say. */
export const defaultParticipant = { elType: 'geth', clType: 'prysm', count: 1 } as const;

const imageSchema = z
  .string()
  .max(255)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._:/@-]*$/, 'use an image reference');

export const participantSchema = z.strictObject({
  elType: z.enum(elTypes).optional().describe('Execution client.'),
  elImage: imageSchema.optional().describe('Image of the execution client.'),
  elExtraArgs: z
    .string()
    .max(2048)
    .optional()
    .describe(
      'Extra arguments for the execution client: flags of docs/extra-arguments.md, split as a shell does.',
    ),
  clType: z.enum(clTypes).optional().describe('Consensus client.'),
  clImage: imageSchema.optional().describe('Image of the consensus client.'),
  clExtraArgs: z
    .string()
    .max(2048)
    .optional()
    .describe(
      'Extra arguments for the beacon node: flags of docs/extra-arguments.md, split as a shell does.',
    ),
  count: z.int().min(1).max(32).optional().describe('Number of participants of this kind.'),
});
export type EthereumParticipantSpec = z.infer<typeof participantSchema>;

/** What the engine of every EVM chain without participants takes, also while it runs. */
const adjustableSettings = {
  blockTime: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .describe(
      'Seconds between blocks. When omitted, each transaction is mined immediately in its own block.',
    ),
  gasLimit: z.int().min(5000).max(10_000_000_000).optional().describe('Gas limit of the genesis block.'),
};
const developmentAccounts = z
  .boolean()
  .optional()
  .describe(
    'Whether the ten well-known accounts of "test test test test test test test test test test test junk" are funded at genesis, as Foundry\'s and Hardhat\'s scripts expect. Everybody has their keys.',
  );

/** What the engine of every EVM chain without participants takes when it starts. */
const startSettings = {
  history: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'How many of the newest blocks have their state kept, also over restarts. When omitted, the engine keeps the states of several thousand blocks while it runs, and only the newest over a restart.',
    ),
};

export const adjustableNames = Object.keys(adjustableSettings) as (keyof typeof adjustableSettings)[];

export const ethereumSpecSchema = z
  .strictObject({
    packageVersion: z.enum(['v1']).optional().describe('Version of the engine catalogue.'),
    chainID: evmChainIdSchema.optional(),
    ...adjustableSettings,
    ...startSettings,
    churnLimitQuotient: z
      .int()
      .min(1)
      .max(4_294_967_295)
      .optional()
      .describe('Beacon chain: CHURN_LIMIT_QUOTIENT.'),
    ejectionBalance: z
      .int()
      .min(0)
      .max(32_000_000_000)
      .optional()
      .describe('Beacon chain: EJECTION_BALANCE in Gwei.'),
    followDistance: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Beacon chain: ETH1_FOLLOW_DISTANCE in blocks.'),
    minWithdrawalDelay: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Beacon chain: MIN_VALIDATOR_WITHDRAWABILITY_DELAY in epochs.'),
    shardCommitteePeriod: z
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Beacon chain: SHARD_COMMITTEE_PERIOD in epochs.'),
    validatorCount: z.int().min(1).max(100_000).optional().describe('Number of genesis validators.'),
    mnemonicRef: localObjectReferenceSchema
      .optional()
      .describe('Secret with the 24-word seed for execution and consensus layers.'),
    developmentAccounts,
    privateKeyRef,
    forking: forkingSchema.optional(),
    plugins: pluginsSchema('ethereum').optional(),
    participants: z.array(participantSchema).max(16).optional().describe('Nodes with their clients.'),
  })
  .describe('Ethereum.');
export type EthereumSpec = z.infer<typeof ethereumSpecSchema>;

export const layer2SpecSchema = z
  .strictObject({
    chainID: evmChainIdSchema.optional(),
    privateKeyRef: privateKeyRef.optional(),
    forking: forkingSchema.optional(),
    plugins: pluginsSchema('layer2').optional(),
    // Additions to the contract.
    ...adjustableSettings,
    ...startSettings,
    mnemonicRef: localObjectReferenceSchema
      .optional()
      .describe('Secret with the seed of ten accounts that are funded at genesis.'),
    developmentAccounts,
    profile: profileSchema(
      'one anvil process',
      "the public chain's own client (Optimism, Base, Mantle, BNB, Avalanche)",
    ),
  })
  .describe('A Layer 2 or alternative EVM chain.');
export type Layer2Spec = z.infer<typeof layer2SpecSchema>;

const plainChainIdSchema = z
  .string()
  .min(1)
  .max(50)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'use letters, digits, ".", "_" and "-"')
  .describe('Chain id. Generated when omitted.');

export const solanaSpecSchema = z
  .strictObject({
    chainID: plainChainIdSchema.optional(),
    privateKeyRef: privateKeyRef.optional(),
    forking: forkingSchema.optional(),
    profile: profileSchema('a small node that runs programs without consensus', 'a validator'),
  })
  .describe('Solana.');
export type SolanaSpec = z.infer<typeof solanaSpecSchema>;

const amountSchema = z.string().regex(/^(0|[1-9][0-9]{0,38})$/, 'use a whole number of base units');

export const thorchainSpecSchema = z
  .strictObject({
    chainID: plainChainIdSchema.optional(),
    privateKeyRef: privateKeyRef.optional(),
    accountBalance: amountSchema.optional().describe('Initial RUNE balance in base units (1e8 = 1 RUNE).'),
    bondAmount: amountSchema.optional().describe('Initial bond in base units (1e8 = 1 RUNE).'),
    image: imageSchema
      .optional()
      .describe(
        "Node image tag, in the repository of the installation's image, or a complete image reference.",
      ),
    blockMaxBytes: z
      .int()
      .min(1)
      .max(104_857_600)
      .optional()
      .describe('Consensus parameter: maximum block size in bytes.'),
    blockMaxGas: z
      .int()
      .min(-1)
      .max(9_007_199_254_740_991)
      .optional()
      .describe('Consensus parameter: maximum gas per block; -1 is unlimited.'),
    forking: forkingSchema.optional(),
  })
  .describe('Thorchain.');
export type ThorchainSpec = z.infer<typeof thorchainSpecSchema>;

/** Types whose spec is `Layer2Spec`: every EVM chain but Ethereum. */
export const layer2Types = evmChains.map(({ type }) => type).filter((type) => type !== 'Ethereum');

export type Layer2Type = (typeof layer2Types)[number];

const layer2Rows = recordOf(
  layer2Types.map((type) => [
    type,
    { member: lowerCase(type), family: 'evm', schema: layer2SpecSchema } as const,
  ]),
);

/** Each chain type: the member of spec.chain that configures it, its family, and that member's schema. */
export const chainTypes = {
  Ethereum: { member: 'ethereum', family: 'evm', schema: ethereumSpecSchema },
  ...layer2Rows,
  Solana: { member: 'solana', family: 'solana', schema: solanaSpecSchema },
  LayerZero: { member: 'layerzero', family: 'layerzero', schema: layerZeroSpecSchema },
  Thorchain: { member: 'thorchain', family: 'thorchain', schema: thorchainSpecSchema },
} as const;
export type ChainType = keyof typeof chainTypes;
export type ChainFamily = (typeof chainTypes)[ChainType]['family'];
export const chainTypeNames = Object.keys(chainTypes) as ChainType[];

/** Whether networks of this type run the EVM: only those support transactions, recordings and tokens. */
export function isEvmChain(type: ChainType): boolean {
  return chainTypes[type].family === 'evm';
}

/** Whether the spec of this type has a profile. */
export function hasProfiles(type: ChainType): boolean {
  return 'profile' in chainTypes[type].schema.shape;
}

/** Whether a chain has nodes of its own that restore it from each other. */
export function hasParticipants({ ethereum }: { ethereum?: EthereumSpec | undefined }): boolean {
  return (ethereum?.participants ?? []).length > 0;
}
