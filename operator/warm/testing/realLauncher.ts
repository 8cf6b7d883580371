import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverOf } from '../../../core/chains/registry.ts';
import { planContext } from '../../../core/chains/testing/planContext.ts';
import { systemContractsForTests } from '../../../hack/contracts/forTests.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import type { LauncherAddress } from '../launcher.ts';
import type { LaunchPlan } from '../shape.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const anvilFolder = join(
  root,
  'node_modules',
  `@foundry-rs/anvil-${process.platform}-${architecture}`,
  'bin',
);
const entryPoint = join(root, 'engines', 'evm-dev', 'entrypoint.sh');
const secret = 'the secret of this pod';

/** A container with the real launcher and anvil, and the volumes of its pod. */
export interface RealLauncher {
  address: LauncherAddress;
  /** Where the plan's files belong. */
  folder: string;
  /** Starts the container, or starts it again. */
  start(): void;
  /** Ends all its processes, as a crash does. */
  crash(): Promise<void>;
  /** Ends the container as the kubelet does, and resolves with its exit code. */
  terminate(): Promise<number | null>;
  /** The process that has the id 1 in a container. */
  pid(): number;
  /** The exit code of the liveness check of its container. */
  checkAlive(): Promise<number | null>;
  /** The plan of an Ethereum network with this chain id, for this container. */
  planOf(chainId: string): LaunchPlan;
  remove(): Promise<void>;
}

export async function createRealLauncher(): Promise<RealLauncher> {
  const { launcher } = await ensureTools(['launcher']);
  const volumes = mkdtempSync(join(tmpdir(), 'slipway-launcher-'));
  const folder = join(volumes, 'files');
  for (const name of ['files', 'data']) mkdirSync(join(volumes, name));
  const port = await freePort();
  const env = {
    PATH: `${anvilFolder}:/usr/bin:/bin`,
    SLIPWAY_PLAN_SECRET_SHA256: createHash('sha256').update(secret).digest('hex'),
  };
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(null);
  const signal = async (name: NodeJS.Signals, sign: 1 | -1) => {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(sign * child.pid, name);
    return ended;
  };
  const crash = async () => void (await signal('SIGKILL', -1));
  return {
    address: { url: `http://127.0.0.1:${port}`, secret },
    folder,
    start() {
      // A process group of its own, so that a crash reaches all its processes, as in a pod.
      const options = { env, stdio: 'ignore', detached: true } as const;
      child = spawn(launcher, [`127.0.0.1:${port}`, folder, '/bin/sh', entryPoint], options);
      const { promise, resolve } = Promise.withResolvers<number | null>();
      child.once('exit', resolve);
      ended = promise;
    },
    crash,
    terminate: () => signal('SIGTERM', 1),
    pid: () => child?.pid ?? 0,
    checkAlive() {
      const script = join(root, 'engines', 'evm-dev', 'alive.sh');
      const report = join(volumes, 'report');
      const check = spawn('/bin/bash', [script, String(port)], {
        env: { ...env, REPORT: report },
        stdio: 'ignore',
      });
      return new Promise((resolve) => check.once('exit', resolve));
    },
    planOf: (chainId) => planOf(chainId, { volumes, folder, port }),
    async remove() {
      await crash();
      rmSync(volumes, { recursive: true, force: true });
    },
  };
}

/** As the driver plans it, except for what only a pod has: its paths, and a port for itself. */
function planOf(
  chainId: string,
  { volumes, folder, port }: { volumes: string; folder: string; port: number },
): LaunchPlan {
  const [part] =
    driverOf('Ethereum')?.plan({
      chain: { type: 'Ethereum' },
      chainId,
      mnemonicAddresses: [],
      ...planContext,
      systemContracts: systemContractsForTests(),
    }).parts ?? [];
  const state = join(folder, 'state.json');
  const replacements: Record<string, string> = { '0.0.0.0': '127.0.0.1', '8545': String(port) };
  return {
    args: (part?.args ?? []).map((arg) => replacements[arg] ?? arg),
    env: { HOME: volumes, FIRST_STATE: state, DATA: join(volumes, 'data') },
    files: { [state]: Object.values(part?.files ?? {})[0] ?? '' },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
