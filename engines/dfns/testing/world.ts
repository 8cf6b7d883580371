import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEvmRpc, createRpcAgent, type EvmRpc } from '../../../core/evm/rpc.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { silentLog } from '../../../core/lib/log.ts';
import type { DfnsConfig } from '../../../core/plugins/dfns/config.ts';
import { credentialsOf } from '../../../core/plugins/dfns/credentials.ts';
import { createDfns, type Dfns } from '../src/dfns.ts';
import { createDfnsListener } from '../src/listener.ts';

/** For tests: the server of the plugin on a loopback port, with its database in a temporary folder. */

export const credentials = credentialsOf({
  deriveSecret: (purpose) => Buffer.from(purpose.padEnd(32, '.')).toString('hex'),
});
const masterKey = Buffer.alloc(32, 7);

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape.
type Answer = { status: number; body: any };

export interface DfnsWorld {
  url: string;
  dfns: Dfns;
  folder: string;
  /** A request that is signed if it changes something. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A request as it is given. */
  send(
    method: string,
    path: string,
    options?: { text?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
  /** The token for one request. */
  userAction(method: string, path: string, text: string): Promise<string>;
  /** Ends the process of the server, as a kill would: what is not in the database is lost. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  rpcUrl: string;
  rpc?: EvmRpc;
  clock?: Clock;
  folder?: string;
}

export async function startDfns({
  rpcUrl,
  rpc,
  clock = systemClock,
  ...options
}: WorldOptions): Promise<DfnsWorld> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'slipway-dfns-'));
  const agent = createRpcAgent();
  const dfns = createDfns(
    { config: configOf(rpcUrl, folder), masterKey, token: credentials.token },
    { rpc: rpc ?? createEvmRpc({ url: rpcUrl, agent }), clock, log: silentLog },
  );
  const server = createServer(createDfnsListener(dfns));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send: DfnsWorld['send'] = async (method, path, { text = '', headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${credentials.token}`, ...headers },
      ...(text === '' ? {} : { body: text }),
    });
    return { status: response.status, body: await response.json() };
  };
  const userAction: DfnsWorld['userAction'] = async (method, path, text) => {
    const [userActionPayload, userActionHttpMethod, userActionHttpPath] = [text, method, path];
    const action = {
      userActionPayload,
      userActionHttpMethod,
      userActionHttpPath,
      userActionServerKind: 'Api',
    };
    const { body: challenge } = await send('POST', '/auth/action/init', { text: JSON.stringify(action) });
    const { body } = await send('POST', '/auth/action', { text: JSON.stringify(assertionOf(challenge)) });
    return body.userAction;
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await dfns.close();
    await agent.destroy();
  };
  return {
    url,
    dfns,
    folder,
    send,
    userAction,
    stop,
    async ask(method, path, body) {
      const text = body === undefined ? '' : JSON.stringify(body);
      if (method === 'GET') return send(method, path);
      const token = await userAction(method, path, text);
      return send(method, path, { text, headers: { 'x-dfns-useraction': token } });
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(rpcUrl: string, folder: string): DfnsConfig {
  const { organisation, user, credentialId: id, publicKey } = credentials;
  return {
    port: 0,
    database: join(folder, 'dfns.sqlite'),
    chainId: '31337',
    rpcUrl,
    networks: ['Ethereum', 'EthereumSepolia'],
    symbol: 'ETH',
    organisation,
    user,
    credential: { id, publicKey },
    secrets: { keys: join(folder, 'keys'), token: join(folder, 'token') },
  };
}

/** What the SDK's signer makes of a challenge. */
export function assertionOf(
  { challenge, challengeIdentifier }: { challenge: string; challengeIdentifier: string },
  privateKey = credentials.privateKey,
) {
  const clientData = Buffer.from(JSON.stringify({ type: 'key.get', challenge }));
  const signature = sign(undefined, clientData, createPrivateKey(privateKey)).toString('base64url');
  const assertion = {
    credId: credentials.credentialId,
    clientData: clientData.toString('base64url'),
    signature,
  };
  return { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion: assertion } };
}
