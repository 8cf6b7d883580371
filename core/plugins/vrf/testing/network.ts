import { setTimeout as sleep } from 'node:timers/promises';
import type { Contract, Interface } from 'ethers';
import { createAgent } from '../../../../engines/vrf/src/agent.ts';
import type { Responder } from '../../../../engines/vrf/src/responder.ts';
import { runAgent } from '../../../../engines/vrf/src/run.ts';
import { createSender } from '../../../../engines/vrf/src/sender.ts';
import { tokenContractsForTests } from '../../../../hack/contracts/forTests.ts';
import { planContext } from '../../../chains/testing/planContext.ts';
import { runSteps } from '../../../deploy/runner.ts';
import { systemClock } from '../../../lib/clock.ts';
import { silentLog } from '../../../lib/log.ts';
import {
  accounts,
  createDurable,
  type Durable,
  portsOf,
  type TestNetwork,
} from '../../../tokens/testing/networks.ts';
import type { PluginReport, PluginStepsInput } from '../../plugin.ts';
import { accountKeyOf } from '../keys.ts';
import { vrf } from '../plugin.ts';

export const contracts = tokenContractsForTests();

export type Report = Required<PluginReport>;

export function inputFor(network: TestNetwork, type?: 'mpc'): PluginStepsInput<'vrf'> {
  const { id, chain } = network;
  return {
    config: type ? { type } : {},
    chain: {
      type: 'Ethereum',
      chainId: chain.chainId,
      rpcUrl: chain.url,
      wsUrl: chain.url.replace('http', 'ws'),
    },
    others: [],
    deriveSecret: planContext.deriveSecret,
    hostOf: (part) => planContext.hostOf(`vrf-${part}`),
    network: { id, incarnation: 'one' },
    accounts,
    contracts,
  };
}

interface DeployOptions {
  /** What the plugin's service makes known to its service steps. */
  answer?: () => Record<string, string>;
  /** What earlier runs did. */
  durable?: Durable;
}

/** Runs the plugin's steps. */
export async function deployPlugin(
  network: TestNetwork,
  input: PluginStepsInput<'vrf'>,
  { answer = () => ({}), durable = createDurable() }: DeployOptions = {},
): Promise<Report> {
  await network.chain.send({ to: accounts.service, value: 100n * 10n ** 18n });
  const steps = (vrf.steps?.(input) ?? []).map((step) =>
    step.kind === 'service' ? { ...step, kind: 'inspect' as const, inspect: async () => answer() } : step,
  );
  const abis = vrf.errorAbis?.(contracts) ?? [];
  const result = await runSteps({ steps, abis, ports: portsOf([network], durable) });
  const failed = [...result.outcomes].filter(([, { state }]) => state !== 'done');
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  const { addresses = {}, values = {} } = vrf.report?.(input, result.known) ?? {};
  return { addresses, values };
}

/** The plugin's agent, in this process. Stopping it is like the loss of its pod: it stores nothing. */
export function startAgent(network: TestNetwork, responder: Responder): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const key = `0x${accountKeyOf(planContext)}`;
  const common = { rpc: network.rpc, clock: systemClock };
  const sender = createSender({ ...common, key, chainId: network.chain.chainId });
  const agent = createAgent({ ...common, responder, sender, log: silentLog });
  const running = runAgent(agent, { clock: systemClock, log: silentLog, stop: stopping.signal });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Deploys a consumer as its author does, with the user's wallet. */
export async function deployConsumer(
  network: TestNetwork,
  name: 'Dice' | 'DirectDice',
  address: string,
): Promise<Contract> {
  const { abi, bytecode } = contracts.vrf(name);
  const data = `${bytecode}${abi.encodeDeploy([address]).slice(2)}`;
  const { contractAddress } = await network.chain.send({ data });
  return contractOf(network, contractAddress ?? '', abi);
}

export function contractOf({ chain }: TestNetwork, address: string, abi: Interface): Contract {
  return chain.contractAt(address, abi.format());
}

/** The words that a consumer has got for its last request. */
export async function wordsFor(consumer: Contract): Promise<bigint[]> {
  const request = await consumer.getFunction('lastRequest').staticCall();
  for (;;) {
    const words = await consumer.getFunction('wordsOf').staticCall(request);
    if (words.length > 0) return [...words];
    await sleep(20);
  }
}
