import type { TestChain } from '../../chains/evm/testing/testChain.ts';
import type { TokenPorts } from '../../deploy/ports.ts';
import { createMemoryProgress } from '../../deploy/progress.ts';
import { runSteps } from '../../deploy/runner.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { createEvmRpc } from '../../evm/rpc.ts';
import { systemClock } from '../../lib/clock.ts';
import type { PluginStep, ServiceStep } from '../plugin.ts';

export interface Stage {
  ports: TokenPorts;
  /** How many transactions were sent. */
  sent(): number;
}

/** Where a plugin's steps run: a real chain, whose hot key signs everything. */
export function createStage(chain: TestChain): Stage {
  const rpc = createEvmRpc({ url: chain.url });
  const hashes = new Map<string, string>();
  let lane: Promise<unknown> = Promise.resolve();
  const send: Awaited<ReturnType<TokenPorts['chain']>>['send'] = (key, { to, data, value = 0n }) => {
    const next = lane
      .catch(() => undefined)
      .then(async () => {
        const known = hashes.get(key);
        if (known) return known;
        const { hash } = await chain.wallet.sendTransaction({ ...(to ? { to } : {}), data, value });
        hashes.set(key, hash);
        return hash;
      });
    lane = next;
    return next;
  };
  const { address } = chain.wallet;
  return {
    sent: () => hashes.size,
    ports: {
      clock: systemClock,
      progress: createMemoryProgress(),
      accounts: { deployer: address, service: address },
      chain: async () => ({ call: (method, params) => rpc.call(method, params), send }),
    },
  };
}

/** Performs all steps, those at services included, and again while a service is not ready. Rejects with what failed. */
export async function performSteps(
  steps: readonly PluginStep[],
  { ports }: Stage,
  urls: Readonly<Record<string, string>>,
): Promise<Known> {
  const all = steps.map((step): Step => (step.kind === 'service' ? atService(step, urls) : step));
  for (;;) {
    const { known, outcomes } = await runSteps({ steps: all, ports, abis: [] });
    const messages = [...outcomes.values()].flatMap((outcome) => ('message' in outcome ? [outcome] : []));
    const failed = messages.find(({ state }) => state === 'failed');
    if (failed) throw new Error(failed.message);
    if (messages.length === 0) return known;
    await systemClock.sleep(200);
  }
}

function atService(step: ServiceStep, urls: Readonly<Record<string, string>>): Step {
  const { network, name, title, after, service, request, read } = step;
  return {
    kind: 'inspect',
    network,
    name,
    title,
    after,
    async inspect(known) {
      const { path, ...options } = request(known);
      const answer = await fetch(`${urls[service]}${path}`, options);
      return read({
        status: answer.status,
        headers: {
          ...Object.fromEntries(answer.headers),
          'set-cookie': answer.headers.getSetCookie().join('\n'),
        },
        body: await answer.text(),
      });
    },
  };
}
