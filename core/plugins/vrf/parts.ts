import { compact } from '../../lib/compact.ts';
import type { PluginInput, PluginPart } from '../plugin.ts';
import { type AgentSettings, configFile, keyFiles } from './agentSettings.ts';

const httpPort = 8080;

/** The pod that answers requests. `urls`: the HTTP of the committee's nodes; none: it proves with a key of its own. */
export function agentPart({ chain }: PluginInput<'vrf'>, urls: readonly string[]): PluginPart {
  const { rpcUrl, chainId } = chain;
  const settings: AgentSettings = { rpcUrl, chainId, port: httpPort, committee: [...urls] };
  const proving = urls.length > 0 ? undefined : keySecrets.proving;
  return {
    name: 'agent',
    engine: 'service',
    args: ['--max-old-space-size=96', '/app/vrf.js'],
    files: { [configFile]: JSON.stringify(settings) },
    secretFiles: compact({ [keyFiles.account]: keySecrets.account, [keyFiles.proving]: proving }),
    ports: { http: httpPort },
    readyPort: 'http',
    readyPath: '/',
  };
}

/** Any three of four nodes make the words; fewer cannot. */
export const committee = { nodes: ['node-1', 'node-2', 'node-3', 'node-4'], threshold: 3 } as const;
const peerPort = 8000;
const nodesPort = 8081;
const tokenFile = '/etc/vrf-keys/token';

/** The HTTP of the committee's nodes, for users and for the agent. */
export const committeeUrls = ({ hostOf }: PluginInput<'vrf'>) =>
  committee.nodes.map((name) => `http://${hostOf(name)}:${httpPort}`);

/** The pods of the committee. The first leads the ceremony in which they create their key. */
export function nodeParts({ hostOf }: PluginInput<'vrf'>): PluginPart[] {
  const addressOf = (name: string) => `${hostOf(name)}:${peerPort}`;
  return committee.nodes.map((name) => ({
    name,
    engine: 'drand',
    args: [
      ...['-own', addressOf(name), '-peers', committee.nodes.map(addressOf).join(',')],
      ...['-threshold', String(committee.threshold), '-data', '/data', '-token-file', tokenFile],
    ],
    files: {},
    secretFiles: { [tokenFile]: keySecrets.token },
    ports: { peer: peerPort, http: httpPort, nodes: nodesPort },
    // The nodes reach each other before they have a key: this one is open from the start.
    readyPort: 'nodes',
    dataPath: '/data',
  }));
}

/** The names of the plan's secrets. */
export const keySecrets = { account: 'account', proving: 'proving', token: 'token' } as const;
