import { z } from 'zod';
import { isSlipwayError } from '../../sdk/src/error.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import { maskedUrl } from '../../sdk/src/maskedUrl.ts';
import { unknownValue } from '../../sdk/src/unknownValue.ts';
import { atMost, findNetwork, limitInput, named, nameInput } from '../find.ts';
import { textInput } from '../inputs.ts';
import { defineTool, type Tool } from '../tool.ts';

/** What matters of a network, without access keys. */
function summaryOf({ id, name, spec, status, metadata }: Network) {
  const urls = Object.entries(status?.endpoints ?? {});
  return {
    id,
    name,
    type: spec.chain.type,
    state: status?.state ?? 'Pending',
    message: status?.message,
    chainID: status?.chainID,
    persistent: spec.persistent,
    labels: metadata.labels,
    expiresAt: status?.expiresAt,
    endpoints: Object.fromEntries(urls.map(([service, url]) => [service, maskedUrl(url)])),
  };
}

/** Blank lines, and those of the name that anvil draws when it starts. */
const picture = /^[\s_|()/\\'`,V]*$/;

export const networkTools: readonly Tool[] = [
  defineTool({
    name: 'list_networks',
    title: 'List networks',
    description: 'The blockchain networks of the workspace with their states. Wakes none.',
    input: z.object({
      selector: textInput.optional().describe('Filter, such as: status.state == Operational'),
      limit: limitInput,
    }),
    isReadOnly: true,
    async run({ client, signal }, { selector, limit }) {
      const found = await atMost(client.networks.listAll({ selector }, { signal }), limit);
      return found.map(summaryOf);
    },
  }),
  defineTool({
    name: 'get_network',
    title: 'Show a network',
    description: 'State, message, plugins and spec of a network. Does not wake it.',
    input: named,
    isReadOnly: true,
    async run(context, { network }) {
      const found = await findNetwork(context, network);
      return { ...summaryOf(found), spec: found.spec, plugins: found.status?.plugins };
    },
  }),
  defineTool({
    name: 'get_network_endpoints',
    title: 'Get the URLs of a network',
    description:
      'The URLs of a network with their access keys, for tools such as Foundry and Hardhat. Treat them like passwords. Does not wake it.',
    input: named,
    isReadOnly: true,
    run: async (context, { network }) => (await findNetwork(context, network)).status?.endpoints ?? {},
  }),
  defineTool({
    name: 'create_network',
    title: 'Create a network',
    description:
      'Creates a network with a new random key, kept in a secret that is named after it. It takes seconds to minutes: follow it with wait_for_network.',
    input: z.object({
      name: nameInput.describe('Lower-case letters, digits and "-".'),
      type: nameInput
        .default('Ethereum')
        .describe(
          'Ethereum, Arbitrum, Optimism, Base, BNB, Avalanche, Fantom, Mantle, ZKSync, Polygon or Solana.',
        ),
      developmentAccounts: z
        .boolean()
        .optional()
        .describe("Also fund Foundry's and Hardhat's ten accounts (EVM)."),
      blockTime: z
        .int()
        .min(1)
        .optional()
        .describe('Seconds between blocks (EVM); a block for each transaction when absent.'),
      forkBlock: nameInput.optional().describe('Fork the public chain at this block, or at "latest".'),
      expiresAfter: nameInput.optional().describe('Delete it after this time, such as 24h.'),
      persistent: z.boolean().optional(),
    }),
    async run({ client, signal }, { name, type, expiresAfter, persistent, forkBlock, ...settings }) {
      // Of its own, so that a network can be created again under the name of one that is gone.
      const key = `${name.slice(0, 48)}-${crypto.randomUUID().slice(0, 8)}`;
      const data = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
      const secret = await client.secrets.create({ name: key, type: 'private-key', data }, { signal });
      const forking = forkBlock === undefined ? undefined : { enabled: true, blockHeight: forkBlock };
      const chain = {
        type: unknownValue(type),
        [type.toLowerCase()]: { ...settings, forking, privateKeyRef: { name: key } },
      };
      try {
        return summaryOf(
          await client.networks.create({ name, spec: { chain, expiresAfter, persistent } }, { signal }),
        );
      } catch (error) {
        // Of any other failure nobody knows whether the network was created: it would be without its key.
        const isRefused = isSlipwayError(error) && [400, 403, 409, 429].includes(error.status);
        if (isRefused) await client.secrets.delete(secret.id).catch(() => undefined);
        throw error;
      }
    },
  }),
  defineTool({
    name: 'wait_for_network',
    title: 'Wait for a network',
    description:
      'Waits until a network is Operational (or Stopped), for two minutes at most. Says why when it ends in Error.',
    input: named.extend({
      state: z.enum(['Operational', 'Stopped']).default('Operational'),
      timeoutSeconds: z.int().min(1).max(120).default(60),
    }),
    isReadOnly: true,
    async run(context, { network, state, timeoutSeconds }) {
      const { id } = await findNetwork(context, network);
      const { client, signal } = context;
      return summaryOf(await client.waitFor(id, state, { timeoutMs: timeoutSeconds * 1_000, signal }));
    },
  }),
  defineTool({
    name: 'wake_network',
    title: 'Start a network',
    description: 'Starts a stopped network. Follow it with wait_for_network.',
    input: named,
    async run(context, { network }) {
      const { id } = await findNetwork(context, network);
      return summaryOf(await context.client.networks.wake(id, { signal: context.signal }));
    },
  }),
  defineTool({
    name: 'stop_network',
    title: 'Stop a network',
    description: 'Stops a network at once. The chain of a network that is not persistent is lost.',
    input: named,
    isDestructive: true,
    async run(context, { network }) {
      const { id } = await findNetwork(context, network);
      return summaryOf(await context.client.networks.stop(id, { signal: context.signal }));
    },
  }),
  defineTool({
    name: 'delete_network',
    title: 'Delete a network',
    description: 'Deletes a network with its chain for ever. Its snapshots are kept.',
    input: named,
    isDestructive: true,
    async run(context, { network }) {
      const { id, name } = await findNetwork(context, network);
      await context.client.networks.delete(id, { signal: context.signal });
      return { deleted: name };
    },
  }),
  defineTool({
    name: 'get_network_logs',
    title: 'Read the logs of a network',
    description: 'The last lines that the engine of a network wrote. Does not wake it.',
    input: named.extend({
      service: nameInput.optional().describe('Part of the network, such as el-1, if it has several.'),
      lines: z.int().min(1).max(500).default(100),
    }),
    isReadOnly: true,
    isText: true,
    async run(context, { network, service, lines }) {
      const { id } = await findNetwork(context, network);
      const { client, signal } = context;
      const text = await client.networks.getLogs(id, { service, tail: lines }, { signal });
      const all = text.split('\n').filter((line) => !picture.test(line));
      return all.slice(-lines).join('\n');
    },
  }),
];
