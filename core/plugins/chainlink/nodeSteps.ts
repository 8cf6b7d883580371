import { getAddress } from 'ethers';
import { z } from 'zod';
import type { Known, StepId } from '../../deploy/step.ts';
import { stepId } from '../../deploy/steps.ts';
import { AppError } from '../../lib/errors.ts';
import { parseUntilError } from '../../lib/parseUntilError.ts';
import { cut } from '../../lib/text/foreignText.ts';
import type { PluginStepsInput, ServiceAnswer, ServiceRequest, ServiceStep } from '../plugin.ts';
import { email, passwordOf } from './config.ts';
import type { Job } from './jobs.ts';

type NodeStep = Pick<ServiceStep, 'name' | 'title' | 'after' | 'request' | 'read'>;

function nodeStep({ network }: PluginStepsInput, step: NodeStep): ServiceStep {
  return { kind: 'service', network: network.id, service: 'chainlink', ...step };
}

/** Later steps know the node's session as `login.cookie`. */
export function loginStep(input: PluginStepsInput): ServiceStep {
  return nodeStep(input, {
    name: 'login',
    title: 'logs in to the node',
    after: [],
    request: () => ({
      method: 'POST',
      path: '/sessions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: passwordOf(input) }),
    }),
    read(answer) {
      if (answer.status === 401) {
        throw new AppError('Conflict', `the node refuses the password of ${email}: do not change it`);
      }
      expectOk(answer);
      const cookie = /clsession=[^;\s]+/.exec(answer.headers['set-cookie'] ?? '')?.[0];
      if (cookie === undefined) throw unusable('the login gave no session');
      return { cookie };
    },
  });
}

const keysSchema = z.object({
  data: z.array(
    z.object({
      attributes: z.object({ address: z.string(), createdAt: z.string(), disabled: z.boolean() }),
    }),
  ),
});

/** Later steps know the account that the node made for this chain at its first start as `key.address`. */
export function keyStep(input: PluginStepsInput): ServiceStep {
  return nodeStep(input, {
    name: 'key',
    title: "reads the node's account",
    after: [stepId(input.network, 'login')],
    request: (known) => ({ method: 'GET', path: '/v2/keys/evm', headers: sessionOf(input, known) }),
    read(answer) {
      expectOk(answer);
      const parsed = parseUntilError(keysSchema, JSON.parse(answer.body));
      if (!parsed.success) throw unusable('it answered without a list of accounts');
      const [first] = parsed.data.data
        .map(({ attributes }) => attributes)
        .filter(({ disabled }) => !disabled)
        .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
      if (!first) throw unusable('the node has no account yet');
      return { address: first.address };
    },
  });
}

interface JobInput {
  job: Job;
  /** The name of the step that creates the job's contract. */
  contract: string;
  after: readonly StepId[];
}

/**
 * Creates a job once: it is looked up by its external id first. A job of that id is left as it is, because users may have
 * edited it, unless it belongs to a contract of an earlier chain or deployment.
 */
export function jobSteps(input: PluginStepsInput, { job, contract, after }: JobInput): ServiceStep[] {
  const { network } = input;
  const lookup = `find-${job.name}`;
  const path = `/v2/jobs/${job.externalJobId}`;
  return [
    nodeStep(input, {
      name: lookup,
      title: `looks for the job ${job.name}`,
      after: [stepId(network, 'key')],
      request: (known) => ({ method: 'GET', path, headers: sessionOf(input, known) }),
      read: readJob,
    }),
    nodeStep(input, {
      name: job.name,
      title: `creates the job ${job.name}`,
      after: [stepId(network, lookup), ...after],
      request: (known) =>
        requestJob(input, known, { job, contract: known.get(network.id, contract), lookup }),
      read: readJob,
    }),
  ];
}

function requestJob(
  input: PluginStepsInput,
  known: Known,
  { job, contract, lookup }: { job: Job; contract: string; lookup: string },
): ServiceRequest {
  const { id } = input.network;
  const found = { id: known.find(id, `${lookup}.id`), text: known.find(id, `${lookup}.text`) ?? '' };
  const headers = sessionOf(input, known);
  if (found.id && found.text.toLowerCase().includes(contract.toLowerCase())) {
    return { method: 'GET', path: `/v2/jobs/${found.id}`, headers };
  }
  const node = known.get(id, 'key.address');
  // The node takes addresses only with their checksum (EIP-55).
  const toml = job.toml({ chainId: input.chain.chainId, node, contract: getAddress(contract) });
  const target = found.id
    ? ({ method: 'PUT', path: `/v2/jobs/${found.id}` } as const)
    : ({ method: 'POST', path: '/v2/jobs' } as const);
  return { ...target, headers, body: JSON.stringify({ toml }) };
}

const jobSchema = z.object({ data: z.object({ id: z.string() }) });

/** Without members for a job that does not exist. */
function readJob(answer: ServiceAnswer): Record<string, string> {
  if (answer.status === 404) return { id: '', text: '' };
  expectOk(answer);
  return { id: jobSchema.parse(JSON.parse(answer.body)).data.id, text: answer.body };
}

function sessionOf({ network }: PluginStepsInput, known: Known): Record<string, string> {
  return { 'content-type': 'application/json', cookie: known.get(network.id, 'login.cookie') };
}

function expectOk({ status, body }: ServiceAnswer): void {
  if (status === 200) return;
  throw unusable(`it answered with status ${status}: ${cut(body, 300)}`);
}

/** The node may still be starting, or two runs may have done the same: the next run finds out. */
const unusable = (why: string) => new AppError('Unavailable', `the Chainlink node is not ready: ${why}`);
