import { type Dispatcher, request } from 'undici';
import type { HeadCall, ReadinessCall } from '../../core/chains/driver.ts';
import { readCapped } from '../../core/evm/readCapped.ts';
import { createEvmRpc, createRpcAgent } from '../../core/evm/rpc.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { LaunchPlan } from './shape.ts';

/** The port of a pod: first its launcher listens there, then its engine. */
export interface LauncherAddress {
  url: string;
  /** The secret that the launcher asks for. */
  secret: string;
}

/** A call that an engine answers once it runs. */
export type Question = Pick<ReadinessCall, 'method' | 'params' | 'isAnswer'>;

/** answered: the engine runs. silent: not yet. refused: the launcher will never start it. */
export type LaunchOutcome = 'answered' | 'silent' | 'refused';

export interface Launcher {
  /** Hands over a plan. Repeating it changes nothing, not even after the engine has started. */
  handOver(address: LauncherAddress, plan: LaunchPlan): Promise<'open' | 'refused'>;
  /** Hands over the plan and waits, for at most two seconds, until the engine answers. */
  launch(address: LauncherAddress, plan: LaunchPlan, question: Question): Promise<LaunchOutcome>;
}

const limitMs = 2_000;
/** An engine starts within some tens of milliseconds. */
const pollMs = 5;
const callMs = 1_000;
/** What launchers and engines answer to a plan is one line. */
const maxBytes = 64 * 1024;

export function createLauncher({ clock }: { clock: Clock }): Launcher {
  const agent = createRpcAgent();

  async function handOver(address: LauncherAddress, plan: LaunchPlan): Promise<'open' | 'refused'> {
    try {
      return await postPlan(agent, address, plan);
    } catch {
      // Between launcher and engine, nobody listens.
      return 'open';
    }
  }

  return {
    handOver,
    async launch(address, plan, question) {
      const rpc = createEvmRpc({ url: address.url, agent, timeoutMs: callMs });
      const asks = () => rpc.call(question.method, question.params).then(question.isAnswer, () => false);
      const endMs = clock.nowMs() + limitMs;
      for (;;) {
        if (await asks()) return 'answered';
        if ((await handOver(address, plan)) === 'refused') return 'refused';
        if (clock.nowMs() >= endMs) return 'silent';
        await clock.sleep(pollMs);
      }
    },
  };
}

/** Whether the chain has any block at all. */
export function questionOf({ method, params, blockIn }: HeadCall): Question {
  return { method, params, isAnswer: (result) => Number.isSafeInteger(blockIn(result)) };
}

/** What a launcher says of a plan that it cannot use, or of the secret (engines/evm-dev/launcher/serve.go). */
const refusals = new Set([400, 403, 413]);

async function postPlan(
  dispatcher: Dispatcher,
  { url, secret }: LauncherAddress,
  plan: LaunchPlan,
): Promise<'open' | 'refused'> {
  const { statusCode, body } = await request(`${url}/plan`, {
    dispatcher,
    method: 'POST',
    headersTimeout: callMs,
    bodyTimeout: callMs,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify(plan),
  });
  const text = await readCapped(body, { maxBytes });
  // An engine has its own answers to such a request.
  return refusals.has(statusCode) && text.startsWith('{"launcher":') ? 'refused' : 'open';
}
