import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { aNetwork, aToken } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { createAnchorWatch } from './anchors.ts';
import type { TokenDeps } from './deps.ts';

const hashOf = (block: number, branch: string) => `${branch}-${block}`;

/** Tokens on one network, each with the block of its anchor, and how often the chain is asked. */
function createScene(blocks: number[]) {
  const network = asStored(aNetwork({ name: 'net', status: { state: 'Operational', enclaveID: 'one' } }));
  const deployed = (block: number): DeploymentStatus => ({
    network: 'net',
    networkID: network.metadata.uid,
    state: 'Deployed',
    anchor: { block, hash: hashOf(block, 'a') },
  });
  const tokenOn = (block: number) => asStored(aToken({ status: { deployments: [deployed(block)] } }));
  const tokens = blocks.map(tokenOn);
  const scene = {
    calls: 0,
    /** The last block that the chain still has as it was. */
    keptTo: 1000,
    tokens,
    add: (block: number) => void tokens.push(tokenOn(block)),
  };
  const caches = { networks: { byIndex: () => [network] }, tokens: { byIndex: () => tokens } };
  const chainOf: TokenDeps['chainOf'] = () => ({
    async call(_method, [number]) {
      scene.calls += 1;
      const block = Number(number);
      return { hash: hashOf(block, block <= scene.keptTo ? 'a' : 'b') };
    },
    send: async () => '',
  });
  const watch = createAnchorWatch({ caches, chainOf } as unknown as TokenDeps, () => undefined);
  /** How many calls a look takes, and the blocks of the anchors that are gone. */
  const look = async () => {
    scene.calls = 0;
    await watch.reconcile(network.metadata.uid, new AbortController().signal);
    const deployments = tokens.flatMap(({ status }) => status?.deployments ?? []);
    return [
      scene.calls,
      deployments
        .filter((one) => watch.isGone(network.metadata.namespace, one))
        .map(({ anchor }) => anchor?.block),
    ];
  };
  return Object.assign(scene, { look });
}

it('a chain whose newest blocks are always undone is asked for one block, however many tokens there are', async () => {
  const scene = createScene([10, 20, 30, 40, 50]);
  expect(await scene.look()).toEqual([5, []]);
  scene.keptTo = 50;
  expect(await scene.look()).toEqual([1, []]);
  scene.add(45);
  expect(await scene.look()).toEqual([2, []]);
  expect(await scene.look()).toEqual([1, []]);
});

it('a rollback is found for each token that it concerns, and those below it are not asked for', async () => {
  const scene = createScene([10, 20, 30, 40, 50]);
  await scene.look();
  scene.keptTo = 35;
  expect(await scene.look()).toEqual([3, [40, 50]]);
  scene.keptTo = 15;
  expect(await scene.look()).toEqual([5, [20, 30, 40, 50]]);
  scene.keptTo = 1000;
  expect(await scene.look()).toEqual([5, []]);
});

it('an anchor on a branch that the chain has left is gone, although a newer one of another token is there', async () => {
  const scene = createScene([10, 20]);
  await scene.look();
  scene.keptTo = 15;
  scene.tokens.splice(0, 2);
  scene.add(12);
  const [token] = scene.tokens;
  const [former] = token?.status?.deployments ?? [];
  if (former) former.anchor = { block: 12, hash: hashOf(12, 'c') };
  scene.add(14);
  expect(await scene.look()).toEqual([2, [12]]);
});
