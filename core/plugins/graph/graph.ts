import type { Plugin, PluginInput, PluginPart } from '../plugin.ts';
import { postgresAccess, postgresPart } from '../postgres.ts';
import { graphNetworkOf } from './networkNames.ts';

const database = 'graph';
const passwordSecret = 'db-password';
const passwordPath = '/etc/slipway/db-password';
const dataPath = '/data';
const ports = { graphql: 8000, admin: 8020, status: 8030, ipfs: 5001 };

/** graph-node with a Postgres of its own, and an IPFS RPC for the files of subgraphs: `graph deploy` works unchanged. */
export const graph: Plugin<'graph'> = {
  name: 'graph',
  engines: () => [
    { engine: 'graph', path: '' },
    { engine: 'postgres', path: '' },
  ],
  services: () => ({
    graph: { part: 'node', port: 'graphql', needs: 'public' },
    'graph-status': { part: 'node', port: 'status', needs: 'public' },
    'graph-admin': { part: 'node', port: 'admin', needs: 'admin' },
    ipfs: { part: 'node', port: 'ipfs', needs: 'admin' },
  }),
  plan: (input) => ({
    parts: [postgresPart({ name: 'db', databases: [database], passwordSecret }), nodePart(input)],
    secrets: { [passwordSecret]: input.deriveSecret('postgres') },
  }),
  report: ({ chain }) => ({ values: { network: graphNetworkOf(chain.type) } }),
};

function nodePart({ chain, hostOf }: PluginInput): PluginPart {
  return {
    name: 'node',
    engine: 'graph',
    files: {},
    secretFiles: { [passwordPath]: passwordSecret },
    args: [
      ...['--data', dataPath],
      ...['--postgres-host', hostOf('db'), '--postgres-port', String(postgresAccess.port)],
      ...['--postgres-user', postgresAccess.user, '--postgres-database', database],
      ...['--postgres-password-file', passwordPath],
      ...['--network', graphNetworkOf(chain.type), '--rpc', chain.rpcUrl],
      ...['--http-port', String(ports.graphql), '--admin-port', String(ports.admin)],
      ...['--status-port', String(ports.status), '--ipfs-port', String(ports.ipfs)],
    ],
    // Blocks come when transactions do: they are to be seen at once.
    env: { ETHEREUM_POLLING_INTERVAL: '200' },
    // The IPFS RPC serves before graph-node does.
    ports,
    readyPort: 'graphql',
    readyPath: '/',
    dataPath,
    // The database still names them.
    afterLoss: 'the files of its subgraphs are gone: deploy them again, and request a Restart',
  };
}
