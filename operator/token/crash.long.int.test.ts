import { ContractFactory, JsonRpcProvider } from 'ethers';
import type { TokenSpec } from '../../core/api/resources/tokenResource.ts';
import type { TokenArgs, TokenType } from '../../core/api/rules/tokenArgs.ts';
import {
  addThreeTypes,
  type ChainScene,
  createChainScene,
  type SceneNetwork,
} from '../../core/outbox/testing/scene.ts';
import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { factsOf } from './testing/facts.ts';
import { deployThroughDeaths } from './testing/lives.ts';
import { createToken, startTokenOperator } from './testing/operator.ts';
import { startOutboxOperator } from './testing/outbox.ts';
import { createReaper, type Moment } from './testing/reaper.ts';

const kube = createTestKube();
afterAll(() => kube.close());

type ArgsOn = (network: SceneNetwork, scene: ChainScene) => Promise<TokenArgs>;
type MomentsOf = (mark: string) => readonly Moment[];

const nowhere: MomentsOf = () => [];
const at =
  (kinds: string[], ...moments: Moment[]): MomentsOf =>
  (mark) =>
    kinds.some((kind) => mark.startsWith(`${kind} `)) ? moments : [];
const writes = ['Outbox', 'Journal', 'Token'];

/**
 * An operator that dies after it recorded a transaction never broadcasts it, and one that dies after the broadcast may
 * never store its hash: each case has a run of its own. The state before a write equals the state after the previous one,
 * except for other networks: both moments are tested with CCT.
 */
const runs: Record<'every' | 'after', [name: string, MomentsOf][]> = {
  every: [
    ['write', at(writes, 'before', 'after')],
    ['broadcast', at(['broadcast'], 'after')],
    ['journal', at(['Journal'], 'after')],
  ],
  after: [
    ['write', at(writes, 'after')],
    ['journal', at(['Journal'], 'after')],
  ],
};

const fresh = { compliance_registry: `0x${'0'.repeat(40)}`, transfer_restrictions: true };
const standards: [type: TokenType, runs: keyof typeof runs, more: Partial<TokenSpec>, argsOn: ArgsOn][] = [
  ['CCT', 'every', { mechanism: 'lock-release' }, async () => ({ liquidity: 100 })],
  ['ERC3643', 'after', {}, async () => fresh],
  ['OFT', 'after', {}, async (...place) => ({ layer_zero_endpoint: await endpointOn(...place) })],
];

/** An endpoint with a unique id. */
async function endpointOn({ name, url }: SceneNetwork, { wallet }: ChainScene): Promise<string> {
  const { abi, bytecode } = tokenContractsForTests().layerzero('Endpoint');
  const signer = wallet.connect(new JsonRpcProvider(url));
  const eid = 30_001 + Number(name.at(-1));
  const contract = await new ContractFactory(abi, bytecode, signer).deploy(eid, wallet.address);
  return (await contract.waitForDeployment()).getAddress();
}

test.each(standards)(
  '%s: whenever operators die, the token ends up as if none had, and nothing is deployed twice',
  async (type, which, more, argsOn) => {
    const scene = await createChainScene(kube);
    const { deps, stop } = await startTokenOperator(kube, scene);
    await stop({ keepCaches: true });
    // What was accepted is sent, whoever dies.
    const outbox = await startOutboxOperator(kube, scene, deps);
    const service = deps.signers.serviceOf(scene.user.namespace).address;
    const accounts = { deployer: scene.wallet.address, service };

    async function live(name: string, momentsOf: MomentsOf) {
      const networks = await addThreeTypes(scene, [`${name}0`, `${name}1`, `${name}2`]);
      const deployments = await Promise.all(
        networks.map(async (network) => {
          const args = { total_supply: '1000', ...(await argsOn(network, scene)) };
          return { network: network.name, args };
        }),
      );
      const reaper = createReaper(momentsOf);
      const id = await createToken(kube, scene, { type, ...more, deployments });
      const { lives, token } = await deployThroughDeaths({ kube, scene, reaper }, id);
      const facts = await factsOf(token, networks, accounts);
      return { lives, idempotencyKeys: reaper.count('Outbox'), survived: reaper.survived(), facts };
    }

    try {
      const { idempotencyKeys, facts } = await live('calm', nowhere);
      for (const [name, momentsOf] of runs[which]) {
        const { lives, ...rough } = await live(name, momentsOf);
        expect(lives).toBeGreaterThan(1);
        expect(rough).toEqual({ idempotencyKeys, survived: [], facts });
      }
    } finally {
      await outbox.stop();
      await stop();
      await scene.stop();
    }
  },
);
