import { version } from '../../core/version.ts';
import type { Context } from '../lib/context.ts';
import type { CommandSpec } from '../lib/spec.ts';

export const mcpCommand: CommandSpec = {
  usage: 'mcp',
  summary: 'Serve the tools of agents on standard input and output (Model Context Protocol).',
  details: `Agents such as editors start it themselves. What they can do is what your API key may do: give them a key of their own, with the
role or the permissions that they need. No private key is ever part of an answer. An installation also serves the same tools at
the path /mcp, with the API key as bearer token.`,
  examples: ['slipway mcp', 'slipway mcp --profile staging'],
  run: serve,
};

/** Until its input ends, or it is interrupted. */
async function serve({ io, client }: Context): Promise<void> {
  // No other command waits for these to load.
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createMcpServer } = await import('../../mcp/server.ts');
  const sdk = await client();
  const ended = Promise.withResolvers<void>();
  process.stdin.once('end', ended.resolve);
  io.signal.addEventListener('abort', () => ended.resolve(), { once: true });
  const server = serveStdio(() => createMcpServer(sdk, version));
  await ended.promise;
  await server.close();
}
