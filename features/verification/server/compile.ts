import { Agent, request } from 'undici';
import { z } from 'zod';
import { AppError, codeOf, isAppError } from '../../../core/lib/errors.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import { accountHeader } from '../core/order.ts';
import { inputOf, type Submission } from './submission.ts';

const rangeSchema = z.object({ start: z.int().min(0), length: z.int().min(0) });
const contractSchema = z.object({
  abi: z.array(z.record(z.string(), z.unknown())),
  evm: z.object({
    bytecode: z.object({ object: z.string() }),
    deployedBytecode: z.object({
      object: z.string(),
      immutableReferences: z.record(z.string(), z.array(rangeSchema)).default({}),
    }),
  }),
});
export type CompiledContract = z.infer<typeof contractSchema>;

const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string().default('') })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

/** Rejects with BadRequest for sources that do not compile, with NotFound for a compiler that is not there. */
export type Compile = (account: string, submission: Submission) => Promise<CompiledContract>;

/** The wait for other compilations and the compilation itself. */
export const compileLimitMs = 300_000;

/** The compilers answer with at most half of it. */
const maxAnswerBytes = 4 * 1024 * 1024;

/** Compiles in the process with the compilers. */
export function createCompile(url: string): { compile: Compile; close(): Promise<void> } {
  // As many connections as there are attempts, which each account has few of: none waits here for another's.
  const agent = new Agent({
    pipelining: 1,
    headersTimeout: compileLimitMs,
    maxResponseSize: maxAnswerBytes,
    connect: { timeout: 5000 },
  });
  return {
    async compile(account, submission) {
      const body = JSON.stringify({
        workspace: account,
        compiler: submission.compiler,
        input: inputOf(submission),
      });
      const order = { dispatcher: agent, body, headers: { [accountHeader]: account } };
      const { status, text } = await post(`${url}/compile`, order);
      if (status !== 200) throw refusal(status, text);
      return contractOf(text, submission);
    },
    close: () => agent.destroy(),
  };
}

interface Order {
  dispatcher: Agent;
  body: string;
  headers: Record<string, string>;
}

async function post(url: string, order: Order): Promise<{ status: number; text: string }> {
  try {
    const signal = AbortSignal.timeout(compileLimitMs);
    const answer = await request(url, { ...order, method: 'POST', signal });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    if (isAppError(error)) throw error;
    const why = codeOf(error) ?? 'no answer in time';
    throw new AppError('Unavailable', `the compilers do not answer (${why}): submit it again`);
  }
}

/** An answer of the compilers in the form of the API's errors. */
function refusal(status: number, text: string): AppError {
  const { message } = z
    .object({ message: z.string() })
    .catch({ message: `status ${status}` })
    .parse(parse(text));
  if (status === 400) return new AppError('BadRequest', message);
  if (status === 404) return new AppError('NotFound', message);
  if (status === 413) return new AppError('TooLarge', message);
  return new AppError(status === 429 ? 'TooManyRequests' : 'Unavailable', message);
}

function contractOf(text: string, { path, name }: Submission): CompiledContract {
  const { errors, contracts } = outputSchema.parse(parse(text));
  const [failure] = errors.filter(({ severity }) => severity === 'error');
  if (failure)
    throw new AppError('BadRequest', `the sources do not compile: ${cut(failure.formattedMessage)}`);
  const found = ownMember(ownMember(contracts, path) ?? {}, name);
  if (found === undefined) throw new AppError('BadRequest', `${path} has no contract ${name}`);
  const contract = contractSchema.parse(found);
  const [placeholder] = /__.{36}__/.exec(contract.evm.deployedBytecode.object) ?? [];
  if (placeholder !== undefined) {
    throw new AppError('BadRequest', 'a library has no address: name all of them in settings.libraries');
  }
  return contract;
}

/** Every object has members such as `toString` that are not its own. */
function ownMember<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
