#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { withNetwork } from '../src/fixture/fixture.ts';
import { type Spawned, windowsCommand } from './windowsCommand.ts';

const usage = `Usage: slipway-with-network [--spec FILE] -- COMMAND [ARGUMENT...]

Runs a command with a network of its own, and removes the network afterwards. The command finds it in RPC_URL, WS_URL,
ADMIN_URL, ADMIN_WS_URL, CHAIN_ID, NETWORK_ID, PRIVATE_KEY, VERIFY_URL and ETH_RPC_URL.

  --spec FILE   JSON with the spec of the network; an Ethereum network when absent

Reads SLIPWAY_URL, SLIPWAY_API_KEY (<id>.<secret>) and SLIPWAY_WORKSPACE from the environment. Exits with the code of the
command, and with 1 when there is no network to run it with.
`;

function spawnable(command: string[]): Spawned {
  const [file = '', ...args] = command;
  if (process.platform !== 'win32') return { file, args };
  return windowsCommand(command, { env: process.env, isFile: existsSync });
}

/** Runs a command to its end, with our input and output. Signals reach it, so that its network is removed afterwards. */
function runCommand(command: string[], environment: Record<string, string>): Promise<number> {
  const { file, args, ...options } = spawnable(command);
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...environment };
    const child = spawn(file, args, { ...options, stdio: 'inherit', env });
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, forward);
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

function parse(args: string[]): { specFile: string | undefined; command: string[] } | undefined {
  const [first, second, ...rest] = args;
  if (first === '--spec' && second !== undefined && rest[0] === '--')
    return { specFile: second, command: rest.slice(1) };
  return first === '--' ? { specFile: undefined, command: args.slice(1) } : undefined;
}

async function main(args: string[]): Promise<number> {
  const parsed = parse(args);
  if (!parsed || parsed.command.length === 0) {
    const isAsked = args[0] === '--help';
    (isAsked ? console.log : console.error)(usage);
    return isAsked ? 0 : 2;
  }
  const { specFile, command } = parsed;
  const spec = specFile === undefined ? undefined : JSON.parse(readFileSync(specFile, 'utf8'));
  const controller = new AbortController();
  const end = () => controller.abort(new Error('ended by a signal'));
  process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end);
  const onStep = ({ state, message }: { state: string; message: string }) =>
    console.error(`${state} ${message}`.trim());
  return withNetwork({ spec, onStep, signal: controller.signal }, ({ environment }) =>
    runCommand(command, environment),
  );
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
