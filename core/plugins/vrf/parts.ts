import { compact } from '../../lib/compact.ts';
import type { PluginInput, PluginPart } from '../plugin.ts';
import { type AgentSettings, configFile, keyFiles } from './agent/settings.ts';

const httpPort = 8080;

/** The pod that answers requests. `committee`: the HTTP of its nodes; none: it proves with a key of its own. */
export function agentPart({ chain }: PluginInput<'vrf'>, committee: readonly string[]): PluginPart {
  const { rpcUrl, chainId } = chain;
  const settings: AgentSettings = { rpcUrl, chainId, port: httpPort, committee: [...committee] };
  const proving = committee.length > 0 ? undefined : keySecrets.proving;
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

/** The names of the plan's secrets. */
export const keySecrets = { account: 'account', proving: 'proving' } as const;
