import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemContractsForTests } from '../../../../../hack/contracts/forTests.ts';
import { isBuilt, toolPath } from '../../../../../hack/tools/build.ts';
import { isToolName } from '../../../../../hack/tools/catalogue.ts';
import type { Layer2Spec, Layer2Type } from '../../../../api/resources/chainSpecs.ts';
import { freePort } from '../../../../lib/testing/freePort.ts';
import { kill } from '../../../../lib/testing/kill.ts';
import { lowerCase } from '../../../../lib/typed.ts';
import type { EnginePart, EnginePlan, PlanInput, Program } from '../../../driver.ts';
import { planContext } from '../../../testing/planContext.ts';
import { evmDrivers } from '../../drivers.ts';
import { callRpc } from '../../testing/startAnvil.ts';
import { withRealClient } from '../driver.ts';

/** Far longer than a boot takes. */
const longestBootMs = 90_000;

/** Why the named engines cannot run here; undefined if they can. */
export function realSkipReason(...engines: string[]): string | undefined {
  const missing = engines.filter((name) => !isToolName(name) || !isBuilt(name));
  return missing.length === 0 ? undefined : `skipped: run \`make engines ENGINES="${missing.join(' ')}"\``;
}

export interface RealChain {
  url: string;
  wsUrl: string;
  chainId: string;
  /** Milliseconds from the start of its processes until it was ready. */
  bootMs: number;
  /** Resident memory of its processes in KiB. */
  memory(): number;
  /** Kills its processes without warning, and starts them again on the same data. */
  crash(): Promise<RealChain>;
  stop(): Promise<void>;
}

/** Runs a network's plan as its pods would, in a temporary folder and on free local ports. */
export async function startReal(
  type: Layer2Type,
  spec: Layer2Spec,
  input: Partial<PlanInput> = {},
): Promise<RealChain> {
  const chainId = input.chainId ?? evmDrivers[type].generateChainId('00abcdef00');
  const plan = withRealClient(evmDrivers[type]).plan({
    ...{ chain: { type, [lowerCase(type)]: { ...spec, profile: 'real' } }, chainId, mnemonicAddresses: [] },
    ...{ genesisTime: Math.floor(Date.now() / 1000), systemContracts: systemContractsForTests() },
    ...planContext,
    ...input,
  });
  const folder = mkdtempSync(join(tmpdir(), 'slipway-real-'));
  const ports = new Map<number, number>();
  for (const part of plan.parts) {
    for (const port of Object.values(part.ports)) ports.set(port, await freePort());
  }
  return run(plan, { chainId, folder, ports });
}

interface Place {
  chainId: string;
  folder: string;
  ports: ReadonlyMap<number, number>;
}

async function run(plan: EnginePlan, place: Place): Promise<RealChain> {
  const started = Date.now();
  const children = plan.parts.map((part) => startPart(plan, part, place));
  const killAll = () => Promise.all(children.map(kill));
  const stop = async () => {
    await killAll();
    rmSync(place.folder, { recursive: true, force: true });
  };
  const crash = async () => {
    await killAll();
    return run(plan, place);
  };
  const urlOf = (service: string, scheme: string) => {
    const { part, port } = plan.services[service] ?? plan.services.rpc ?? { part: '', port: '' };
    const number = plan.parts.find(({ name }) => name === part)?.ports[port] ?? 0;
    return `${scheme}://127.0.0.1:${place.ports.get(number)}`;
  };
  const url = urlOf('rpc', 'http');
  try {
    await untilReady(plan, url, children);
  } catch (error) {
    await stop();
    throw error;
  }
  const bootMs = Date.now() - started;
  const memory = () => children.reduce((sum, { pid = 0 }) => sum + memoryOf(pid), 0);
  return { url, wsUrl: urlOf('ws', 'ws'), chainId: place.chainId, bootMs, memory, crash, stop };
}

function startPart(plan: EnginePlan, part: EnginePart, place: Place): ChildProcess {
  const root = join(place.folder, part.name);
  mkdirSync(join(root, 'data'), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(part.files)) write(path, text);
  for (const [path, secret] of Object.entries(part.secretFiles ?? {})) {
    write(path, plan.secrets?.[secret] ?? '');
  }
  for (const step of part.init ?? []) {
    execFileSync(programOf(step), argsOf(step, root, place), { stdio: 'pipe' });
  }
  return spawn(programOf(part), argsOf(part, root, place), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', HOME: root },
  });
}

function programOf({ engine }: Program): string {
  if (!isToolName(engine)) throw new Error(`${engine} is not built here`);
  return toolPath(engine);
}

/** The arguments with local ports, hosts and paths. */
function argsOf({ args }: Program, root: string, { ports }: Place): string[] {
  return args.map((arg) => {
    const local = arg.replaceAll('0.0.0.0', '127.0.0.1').replace(/net-[a-z]+-0123456789/, '127.0.0.1');
    const moved = local.replace(/\b\d{4,5}$/, (port) => String(ports.get(Number(port)) ?? port));
    return moved.replace(
      /^(.*=)?(\/(?:data|etc\/slipway).*)$/,
      (_all, flag = '', path) => flag + join(root, path),
    );
  });
}

async function untilReady({ readinessCall }: EnginePlan, url: string, children: readonly ChildProcess[]) {
  const output: string[] = [];
  for (const child of children) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    }
  }
  for (const until = Date.now() + longestBootMs; ; ) {
    if (Date.now() > until) throw new Error(`not ready: ${output.join('').slice(-8000)}`);
    if (children.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) {
      throw new Error(`a process has ended: ${output.join('').slice(-8000)}`);
    }
    const answer = await callRpc(url, readinessCall?.method ?? '', ...(readinessCall?.params ?? [])).catch(
      () => null,
    );
    if (readinessCall?.isAnswer(answer)) return;
    await setTimeout(50);
  }
}

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
