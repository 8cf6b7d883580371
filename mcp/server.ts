import { McpServer } from '@modelcontextprotocol/server';
import type { Client } from '../sdk/src/client.ts';
import { isSlipwayError } from '../sdk/src/error.ts';
import type { ChainClient } from './chain.ts';
import { addressNamed, chainOf, featureTools } from './features.ts';
import { cut, resultText } from './result.ts';
import type { Tool, ToolContext } from './tool.ts';
import { chainTools } from './tools/chain.ts';
import { clockTools } from './tools/clock.ts';
import { networkTools } from './tools/networks.ts';
import { snapshotTools } from './tools/snapshots.ts';

/** Everything that agents can do; the key of the client decides what is allowed. */
export const tools: readonly Tool[] = [
  ...networkTools,
  ...chainTools,
  ...clockTools,
  ...snapshotTools,
  ...featureTools,
];

const instructions =
  'Slipway runs blockchain networks for development and tests. Names or ids find networks. Reading wakes no stopped network; use wake_network and wait_for_network first. Transactions are signed by the service with the key of the caller: no private key is needed, and none is shown.';

/** A server of the Model Context Protocol for one client. */
export function createMcpServer(client: Client, version: string): McpServer {
  const reading = { ...client, chain: chainOf?.(client) };
  const server = new McpServer({ name: 'slipway', version }, { capabilities: { tools: {} }, instructions });
  // Names are looked up in this object, and "constructor" is not a tool.
  Object.setPrototypeOf(Reflect.get(server, '_registeredTools'), null);
  for (const tool of tools) {
    const { name, title, description, input: inputSchema, isReadOnly = false, isDestructive = false } = tool;
    const annotations = {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      openWorldHint: false,
    };
    server.registerTool(name, { title, description, inputSchema, annotations }, async (input, { mcpReq }) =>
      answer(async () => {
        const value = await tool.run(contextOf(reading, mcpReq.signal), input);
        return tool.isText ? cut(String(value)) : resultText(value);
      }),
    );
  }
  return server;
}

function contextOf(client: ChainClient, signal: AbortSignal): ToolContext {
  const context = { client, signal };
  return { client, signal, addressNamed: async (name) => addressNamed?.(context, name) };
}

async function answer(work: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await work() }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text' as const, text: reasonOf(error) }] };
  }
}

/** What the model can correct, in the words of the service. */
function reasonOf(error: unknown): string {
  if (!isSlipwayError(error)) return error instanceof Error ? error.message : String(error);
  const { message, details, reason, requestId } = error;
  const fields = details
    .filter((one) => !message.includes(one.message))
    .map((one) => `${one.path}: ${one.message}`);
  return [`${reason}: ${message}`, ...fields, ...(requestId ? [`request ${requestId}`] : [])].join('\n');
}
