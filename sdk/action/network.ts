import { type Client, createClient } from '../src/client.ts';
import { isSlipwayError } from '../src/error.ts';
import { type Created, removeCreated, startNetwork, type TestNetwork } from '../src/fixture/fixture.ts';
import type { KeyedSpec } from '../src/fixture/key.ts';
import { jsonInput, type Runner } from './runner.ts';
import { version } from './version.ts';

/** Creates the network of a job, and leaves its endpoints to the steps that follow. */
export async function createForJob(runner: Runner): Promise<void> {
  const apiKey = runner.input('api-key');
  runner.mask(apiKey);
  const spec = runner.input('spec');
  const network = await startNetwork({
    client: clientOf(runner),
    spec: spec === '' ? undefined : specOf(jsonInput(spec)),
    name: runner.input('name') || undefined,
    expiresAfter: runner.input('expires-after') || undefined,
    timeoutMs: secondsOf(runner.input('timeout-seconds') || '600') * 1000,
    // Before it is Operational: a job that is cancelled meanwhile leaves nothing behind.
    onCreated: (created) => runner.saveState('created', JSON.stringify(created)),
    onStep: ({ state, message }) => runner.info(`${state} ${message}`.trim()),
  });
  publish(runner, network);
}

/** Removes the network of a job. A failure is a warning: the network expires by itself. */
export async function removeForJob(runner: Runner): Promise<void> {
  runner.mask(runner.input('api-key'));
  const text = runner.state('created');
  if (text === '') return;
  const created: Created = JSON.parse(text);
  try {
    await removeCreated(clientOf(runner), created);
    runner.info(`network ${created.networkId ?? ''} is removed`);
  } catch (error) {
    runner.warning(`the network is not removed, it expires by itself: ${describe(error)}`);
  }
}

/** What went wrong, with every invalid field and the id that finds the request in the log of the service. */
export function describe(error: unknown): string {
  if (!isSlipwayError(error)) return error instanceof Error ? error.message : String(error);
  const details = error.details.map(({ path, message }) => `\n${path}: ${message}`).join('');
  const id = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  return `${error.message}${id}${details}`;
}

function clientOf(runner: Runner): Client {
  return createClient({
    url: runner.input('url'),
    apiKey: runner.input('api-key'),
    workspace: runner.input('workspace') || undefined,
    userAgent: `slipway-action/${version}`,
    onWarning: (text) => runner.warning(text),
  });
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (seconds > 0) return seconds;
  throw new Error(`timeout-seconds: "${text}" is not a number of seconds, such as 600`);
}

/** The service checks the rest. */
function specOf(value: unknown): KeyedSpec {
  const isSpec = typeof value === 'object' && value !== null && 'chain' in value;
  if (!isSpec) throw new Error('spec: has no member "chain"');
  return value as KeyedSpec;
}

function publish(
  runner: Runner,
  { id, name, chainId, endpoints, privateKey, environment }: TestNetwork,
): void {
  for (const url of Object.values(endpoints)) runner.mask(url);
  runner.mask(privateKey ?? '');
  const outputs = {
    id,
    name,
    'chain-id': chainId,
    'rpc-url': endpoints.rpc,
    'ws-url': endpoints.ws,
    'admin-url': endpoints.admin,
    'verify-url': endpoints.verify,
    'private-key': privateKey,
  };
  for (const [output, value = ''] of Object.entries(outputs)) runner.setOutput(output, value);
  if (runner.input('export-environment') === 'false') return;
  for (const [variable, value] of Object.entries(environment)) runner.exportVariable(variable, value);
}
