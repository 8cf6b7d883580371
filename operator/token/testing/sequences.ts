import { randomBytes } from 'node:crypto';
import { Contract, JsonRpcProvider } from 'ethers';
import fc from 'fast-check';
import { networkType, tokenType } from '../../../core/api/resources/resources.ts';
import type { DeploymentStatus, TokenResource } from '../../../core/api/resources/tokenResource.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import type { ChainScene, SceneNetwork } from '../../../core/outbox/testing/scene.ts';
import { createToken, deploymentOn, isDeployed, type TokenOperator } from './operator.ts';

/** What may happen to a cross-chain token and to the chain `on` one of its networks. */
const happenings = [
  'add',
  'ask',
  'snapshot',
  'revert',
  'occupy',
  'issueOther',
  'pause',
  'resume',
  'reset',
  'settle',
] as const;

export interface Step {
  do: (typeof happenings)[number];
  on: number;
}

const networkCount = 3;
const weights: Partial<Record<Step['do'], number>> = { add: 5, snapshot: 3, revert: 3, pause: 2, settle: 3 };

/** Steps that a team and its test suites may take, in any order. */
export const someSteps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    ...happenings.map((name) => ({
      weight: weights[name] ?? 1,
      arbitrary: fc.record({ do: fc.constant(name), on: fc.nat(networkCount - 1) }),
    })),
  ),
  { minLength: 5, maxLength: 14 },
);

const supply = '1000';
const nobody = `0x${'0'.repeat(40)}`;
const contract = ['function totalSupply() view returns (uint256)', 'function symbol() view returns (string)'];
const pool = ['function isSupportedChain(uint64) view returns (bool)'];
/** Code that returns nothing, to whatever it is asked. */
const foreignCode = '0x600160005360016000f3';

export interface SequenceDeps {
  kube: Kube;
  scene: ChainScene;
  operator: TokenOperator;
}

/** A token with networks of its own. */
export async function createSequence({ kube, scene, operator }: SequenceDeps) {
  const prefix = `s${randomBytes(3).toString('hex')}`;
  const networks = await Promise.all(
    Array.from({ length: networkCount }, (_, index) => scene.addNetwork(`${prefix}-${index}`)),
  );
  const snapshots = new Map<string, unknown[]>();
  const [first] = networks;
  const entries = [{ network: first?.name ?? '', args: { total_supply: supply }, nonce: 1 }];
  const name = await createToken(kube, scene, { type: 'CCT', mechanism: 'burn-mint', deployments: entries });
  const ref = { namespace: scene.user.namespace, name };

  const present = async (): Promise<TokenResource> => {
    const found = await kube.get(tokenType, ref);
    if (!found) throw new Error(`${name} is gone`);
    return found;
  };
  const setEntries = () => kube.patch(tokenType, ref, { spec: { deployments: entries } });
  const report = ({ resource }: SceneNetwork, state: string) =>
    kube.patch(networkType, resource.metadata, { status: { state } }, 'status');

  async function ask(network: SceneNetwork): Promise<void> {
    const entry = entries.find((one) => one.network === network.name);
    if (entry) entry.nonce += 1;
    else entries.push({ network: network.name, args: { total_supply: supply }, nonce: 1 });
    await setEntries();
  }

  const settleOf = (which: string) =>
    operator.deps.caches.tokens
      .waitFor((token) => token.metadata.name === which && isDeployed(token), { timeoutMs: 5_000 })
      .catch(() => undefined);

  const actions: Record<Step['do'], (network: SceneNetwork) => Promise<unknown>> = {
    async add(network) {
      if (!entries.some((one) => one.network === network.name)) await ask(network);
    },
    ask,
    async snapshot(network) {
      const id = await call(network, 'evm_snapshot');
      snapshots.set(network.name, [...(snapshots.get(network.name) ?? []), id]);
    },
    async revert(network) {
      const id = snapshots.get(network.name)?.pop();
      if (id !== undefined) await call(network, 'evm_revert', id);
    },
    /** Something else is created by the account of the token's deployer. */
    occupy: (network) =>
      withNode(network, async (node) => {
        const sent = await scene.wallet.connect(node).sendTransaction({ data: foreignCode });
        await sent.wait();
        // The token's own transactions may take the nonce.
      }).catch(() => undefined),
    /** Another token, whose contracts are created by the account of the service. */
    async issueOther({ name: network }) {
      const args = { total_supply: supply, owner: scene.wallet.address, compliance_registry: nobody };
      await settleOf(await createToken(kube, scene, { type: 'ERC3643', deployments: [{ network, args }] }));
    },
    pause: (network) => report(network, 'Pending'),
    resume: (network) => report(network, 'Operational'),
    async reset(network) {
      const index = networks.indexOf(network);
      networks[index] = await scene.reset(network);
      snapshots.delete(network.name);
      await actions.snapshot(networks[index]);
    },
    settle: () => settleOf(name),
  };

  /** What the token says of itself that its chains do not confirm. */
  async function falseClaims(): Promise<string[]> {
    const token = await present();
    const whole = (token.status?.deployments ?? []).filter(
      ({ state, message }) => state === 'Deployed' && message === undefined,
    );
    const found = await Promise.all(
      whole.map(async (one) => {
        const network = networks.find((candidate) => candidate.name === one.network);
        if (!network) return [];
        const others = whole.filter((other) => other !== one);
        return withNode(network, (node) => contradictions(node, one, others));
      }),
    );
    return found.flat();
  }

  await Promise.all(networks.map(actions.snapshot));
  return {
    async take(step: Step): Promise<void> {
      const network = networks[step.on];
      if (network) await actions[step.do](network);
    },
    /**
     * Returns what stays false although the operator has had its time, or cannot be remedied by asking again; none when all is
     * well.
     */
    async falsehoods(): Promise<string[]> {
      await settleOf(name);
      const saidBefore = await untilNone(falseClaims);
      for (const network of networks) await report(network, 'Operational');
      const said = [...saidBefore, ...(await untilNone(falseClaims))];
      if (said.length > 0) return said;
      const token = await present();
      for (const network of networks) {
        const one = deploymentOn(token.status?.deployments, network.name);
        const isFine = one?.state === 'Deployed' && one.message === undefined;
        if (one && !isFine) await ask(network);
      }
      return untilNone(async () => {
        const now = await present();
        if (!isDeployed(now)) return [`${name} is not deployed: ${JSON.stringify(now.status?.deployments)}`];
        return falseClaims();
      });
    },
  };
}

async function contradictions(
  node: JsonRpcProvider,
  one: DeploymentStatus,
  others: readonly DeploymentStatus[],
): Promise<string[]> {
  const at = `${one.network} says Deployed, but`;
  const read = (
    address: string | undefined,
    abi: string[],
    view: string,
    ...args: unknown[]
  ): Promise<unknown> =>
    new Contract(address ?? '', abi, node)
      .getFunction(view)(...args)
      .catch(() => undefined);
  const [total, symbol, receipt] = await Promise.all([
    read(one.tokenAddress, contract, 'totalSupply'),
    read(one.tokenAddress, contract, 'symbol'),
    node.getTransactionReceipt(one.deploymentTx ?? ''),
  ]);
  const found: string[] = [];
  if (String(total) !== supply || symbol !== 'TST') found.push(`${at} another contract or none stands there`);
  if (!receipt) found.push(`${at} its transaction is not on the chain`);
  for (const other of others) {
    const isConnected = await read(
      one.extraAddresses?.pool,
      pool,
      'isSupportedChain',
      other.extraAddresses?.chain_selector,
    );
    if (isConnected !== true) found.push(`${at} is not connected to ${other.network}`);
  }
  return found;
}

/** An operator looks at its chains every 15 s, and what fails is tried again within 30. */
const patienceMs = 120_000;

/** Asks until nothing is found; returns what is found at the end. */
async function untilNone(find: () => Promise<string[]>): Promise<string[]> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    const found = await find();
    if (found.length === 0 || Date.now() > endMs) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function call(network: SceneNetwork, method: string, ...params: unknown[]): Promise<unknown> {
  return withNode(network, (node) => node.send(method, params));
}

async function withNode<T>({ url }: SceneNetwork, work: (node: JsonRpcProvider) => Promise<T>): Promise<T> {
  const node = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, pollingInterval: 50 });
  try {
    return await work(node);
  } finally {
    node.destroy();
  }
}
