import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { callRpc } from '../../../../core/chains/evm/testing/startAnvil.ts';
import { freePort } from '../../../../core/lib/testing/freePort.ts';
import { kill } from '../../../../core/lib/testing/kill.ts';
import { toolPath } from '../../../../hack/tools/build.ts';

export interface Geth {
  url: string;
  wsUrl: string;
  /** Its own account, which has nearly all coins, and gets the fees. */
  developer: { address: string; balance: string };
  stop(): Promise<void>;
}

const gasLimit = 30_000_000;
const apis = ['admin', 'debug', 'eth', 'miner', 'net', 'txpool', 'web3'];

/** geth with a chain of its own, which makes a block for each transaction, and all that it serves. */
export async function startGeth(): Promise<Geth> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-geth-'));
  const port = await freePort();
  const options = {
    datadir: folder,
    gcmode: 'archive',
    maxpeers: 0,
    port: 0,
    'authrpc.port': await freePort(),
    'dev.gaslimit': gasLimit,
    'http.api': apis.join(','),
    'http.port': port,
    'miner.gaslimit': gasLimit,
    'state.scheme': 'hash',
    'ws.api': apis.join(','),
    'ws.port': port,
  };
  const switches = ['--dev', '--http', '--ws', '--ipcdisable', '--nodiscover', '--rpc.allow-unprotected-txs'];
  const values = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(toolPath('geth'), [...switches, ...values], { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = async () => {
    await kill(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const { promise: isServing, resolve, reject } = Promise.withResolvers<void>();
  createInterface(child.stderr).on('line', (line) => line.includes('HTTP server started') && resolve());
  child.once('close', (code) => reject(new Error(`geth ended with ${code}`)));
  await isServing;
  const url = `http://127.0.0.1:${port}`;
  const [address = ''] = (await callRpc(url, 'eth_accounts')) as string[];
  const balance = String(await callRpc(url, 'eth_getBalance', address, '0x0'));
  return { url, wsUrl: url, developer: { address, balance }, stop };
}
