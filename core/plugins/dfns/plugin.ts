import type { Plugin, PluginInput, PluginPart } from '../plugin.ts';
import type { DfnsConfig } from './config.ts';
import { credentialsOf } from './credentials.ts';
import { dfnsNetworkOf } from './networks.ts';

const port = 8090;
const configPath = '/etc/dfns/config.json';
const secretPaths = { keys: '/etc/dfns/keys', token: '/etc/dfns/token' };

/** A stand-in for the API of Dfns: wallets whose keys are the plugin's, on the network's chain. */
export const dfns: Plugin<'dfns'> = {
  name: 'dfns',
  engines: () => [{ engine: 'service', path: '' }],
  services: () => ({ dfns: { part: 'api', port: 'http', needs: 'public', hasSignIn: true } }),
  plan(input) {
    const { organisation, credentialId, privateKey, token } = credentialsOf(input);
    return {
      parts: [apiPart(input)],
      secrets: { keys: input.deriveSecret('keys'), token },
      credentials: { orgId: organisation, credId: credentialId, authToken: token, privateKey },
    };
  },
  report(input) {
    const { organisation, credentialId } = credentialsOf(input);
    const { names } = dfnsNetworkOf(input.chain.type);
    return { values: { organisation, credential: credentialId, networks: names.join(', ') } };
  },
};

function apiPart(input: PluginInput): PluginPart {
  const { organisation, user, credentialId, publicKey } = credentialsOf(input);
  const { names, symbol } = dfnsNetworkOf(input.chain.type);
  const config: DfnsConfig = {
    port,
    database: '/data/dfns.sqlite',
    chainId: input.chain.chainId,
    rpcUrl: input.chain.rpcUrl,
    networks: [...names],
    symbol,
    organisation,
    user,
    credential: { id: credentialId, publicKey },
    secrets: secretPaths,
  };
  return {
    name: 'api',
    engine: 'service',
    args: ['/app/dfns.js', configPath],
    files: { [configPath]: JSON.stringify(config) },
    secretFiles: { [secretPaths.keys]: 'keys', [secretPaths.token]: 'token' },
    ports: { http: port },
    readyPort: 'http',
    dataPath: '/data',
  };
}
