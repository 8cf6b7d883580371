import { z } from 'zod';

/** The specs that have plugins: Ethereum's, and the one that all other EVM chains share. */
export type PluginHost = 'ethereum' | 'layer2';

interface PluginRow {
  /** What the plugin may be told; `{}` is the usual value. */
  config: z.ZodType;
  description: string;
  /** What users get. */
  summary: string;
  hosts: readonly PluginHost[];
}

const everyEvmChain = ['ethereum', 'layer2'] as const;
const noConfig = z.strictObject({});

/** The plugins of the contract. What each one runs is in `core/plugins`. */
export const pluginTable = {
  chainlink: {
    config: noConfig,
    description: 'Chainlink node set-up.',
    summary: 'A Chainlink node with LINK, an operator contract and price feeds.',
    hosts: everyEvmChain,
  },
  graph: {
    config: noConfig,
    description: 'The Graph configuration.',
    summary: 'A Graph node with IPFS, to which subgraphs are deployed.',
    hosts: everyEvmChain,
  },
  vrf: {
    config: z.strictObject({ type: z.enum(['vrfv2plus', 'mpc']).optional().describe('VRF type.') }),
    description: 'VRF configuration.',
    summary: "Verifiable random numbers from Chainlink's VRF v2.5.",
    hosts: everyEvmChain,
  },
  dfns: {
    config: noConfig,
    description: 'DFNS configuration.',
    summary: 'A stand-in for the Dfns API, with wallets that sign on this network.',
    hosts: everyEvmChain,
  },
  uniswap: {
    config: noConfig,
    description: 'Uniswap configuration.',
    summary: 'Uniswap v2, v3 and v4 with a first pool.',
    hosts: ['ethereum'],
  },
} as const satisfies Record<string, PluginRow>;

type PluginTable = typeof pluginTable;
export type PluginName = keyof PluginTable;
export const pluginNames = Object.keys(pluginTable) as PluginName[];
/** What a network's spec says of a plugin. */
export type PluginConfig<Name extends PluginName = PluginName> = z.infer<PluginTable[Name]['config']>;

type PluginOf<Host extends PluginHost> = {
  [Name in PluginName]: Host extends PluginTable[Name]['hosts'][number] ? Name : never;
}[PluginName];
type PluginShape<Host extends PluginHost> = {
  [Name in PluginOf<Host>]: z.ZodOptional<PluginTable[Name]['config']>;
};

/** The member `plugins` of a chain's spec: an object switches a plugin on. */
export function pluginsSchema<Host extends PluginHost>(host: Host) {
  const rows = Object.entries<PluginRow>(pluginTable).filter(([, { hosts }]) => hosts.includes(host));
  const shape = rows.map(([name, { config, description }]) => [
    name,
    config.optional().describe(description),
  ]);
  return z.strictObject(Object.fromEntries(shape) as PluginShape<Host>).describe('Plugins of the network.');
}

const pluginStates = ['Pending', 'Ready', 'Error'] as const;

/** The member `plugins` of a network's status. */
export const pluginStatusesSchema = z
  .partialRecord(
    z.enum(pluginNames),
    z
      .object({
        state: z.enum(pluginStates).describe('State of the plugin.'),
        message: z.string().max(1024).optional().describe('Human-readable reason for the state.'),
        deployment: z
          .string()
          .optional()
          .describe(
            'Identifies this deployment of the plugin: it changes with the chain, with the config, and when the plugin is added again.',
          ),
        addresses: z
          .record(z.string(), z.string())
          .optional()
          .describe('Contracts and accounts on the chain, by name.'),
        values: z
          .record(z.string(), z.string())
          .optional()
          .describe('Ids and other facts that users need, by name.'),
      })
      .describe('What one plugin reports.'),
  )
  .describe('What each plugin reports, by its name.');
