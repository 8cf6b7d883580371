import { dataLength } from 'ethers';
import type { ChainType } from '../../api/resources/chainSpecs.ts';
import type { TokenArgs, TokenType } from '../../api/rules/tokenArgs.ts';
import type { EvmDriver } from '../../chains/evm/driver.ts';
import { evmDrivers } from '../../chains/evm/drivers.ts';
import { AppError } from '../../lib/errors.ts';
import { type Deployed, type DeployOptions, deploy } from './deploy.ts';
import { createKiller, killPoints } from './killer.ts';
import { createDurable, type KillPoint, noncesOf, type TestNetwork, useNetworks } from './networks.ts';

/** Three chain types whose rules differ: an old EVM, an OP Stack, and a new EVM. */
export const threeTypes: [ChainType, EvmDriver][] = [
  ['Fantom', evmDrivers.Fantom],
  ['Optimism', evmDrivers.Optimism],
  ['Arbitrum', evmDrivers.Arbitrum],
];

export interface StandardCase {
  title: string;
  type: TokenType;
  plan?: DeployOptions['plan'];
  /** Deploys what the token needs and returns its args for each network. */
  prepare(networks: TestNetwork[]): Promise<TokenArgs[]>;
}

const codeLimit = 24_576;
/** How often a process reaches the point at which it is killed. */
const killCounts = [1, 2, 5, 9, 14];

/** What every standard must do, on running engines of three chain types. */
export function describeStandard({ title, type, plan, prepare }: StandardCase): void {
  describe(`${title} on three networks`, () => {
    const networks = useNetworks(threeTypes);
    let args: TokenArgs[];
    let prepared: string[];
    const options: DeployOptions = { type, ...(plan ? { plan } : {}) };

    beforeAll(async () => {
      args = await prepare(networks);
      prepared = await snapshot();
    });
    beforeEach(async () => {
      await Promise.all(networks.map(({ rpc }, index) => rpc.call('evm_revert', [prepared[index]])));
      prepared = await snapshot();
    });

    const snapshot = () =>
      Promise.all(networks.map(async ({ rpc }) => String(await rpc.call('evm_snapshot', []))));
    const nonces = () => Promise.all(networks.map(noncesOf));
    const isDone = ({ messages }: Deployed) => messages.every((message) => message === undefined);

    it('is deployed: every step is done, and no contract is over the size limit', async () => {
      const { messages, deployments, steps, result } = await deploy(networks, args, options);
      expect(messages).toEqual([undefined, undefined, undefined]);
      expect(Object.keys(deployments)).toHaveLength(3);
      for (const step of steps) {
        const address = step.kind === 'create' && result.known.find(step.network, step.name);
        if (!address) continue;
        const code = await networks.find(({ id }) => id === step.network)?.chain.provider.getCode(address);
        expect(dataLength(code ?? '0x')).toBeGreaterThan(0);
        expect(dataLength(code ?? '0x')).toBeLessThanOrEqual(codeLimit);
      }
    });

    it('is not deployed again by another run, with or without its progress', async () => {
      const durable = createDurable();
      const first = await deploy(networks, args, { ...options, durable });
      const before = await nonces();
      const again = await deploy(networks, args, { ...options, durable });
      const forgotten = await deploy(networks, args, {
        ...options,
        durable: { ...createDurable(), sent: durable.sent },
      });
      expect(await nonces()).toEqual(before);
      expect(again.deployments).toEqual(first.deployments);
      expect(forgotten.deployments).toEqual(first.deployments);
    });

    it('ends the same when it is killed over and over, at every point', async () => {
      await deploy(networks, args, options);
      const undisturbed = await nonces();
      await Promise.all(networks.map(({ rpc }, index) => rpc.call('evm_revert', [prepared[index]])));
      prepared = await snapshot();
      const durable = createDurable();
      const killed = new Set<KillPoint>();
      let last: Deployed | undefined;
      for (let run = 0; run < 2000 && !(last && isDone(last)); run += 1) {
        const point = killPoints[run % killPoints.length] ?? 'before send';
        const count = killCounts[Math.floor(run / killPoints.length) % killCounts.length] ?? 1;
        const killer = createKiller(point, count);
        last = await deploy(networks, args, { ...options, durable, hook: killer.hook });
        if (killer.hasKilled) killed.add(point);
      }
      expect(last?.messages).toEqual([undefined, undefined, undefined]);
      expect([...killed].sort()).toEqual([...killPoints].sort());
      expect(await nonces()).toEqual(undisturbed);
    });

    it('continues elsewhere while a network is unavailable, and there once it is back', async () => {
      const durable = createDurable();
      const [away, ...others] = networks;
      if (!away) throw new Error('no network');
      const unreachable = {
        call: () => Promise.reject(new AppError('Unavailable', 'is unavailable')),
        batch: away.rpc.batch,
      };
      const first = await deploy([{ ...away, rpc: unreachable }, ...others], args, { ...options, durable });
      expect(first.messages[0]).toContain('is unavailable');
      const sent = (await nonces()).map(({ deployer }) => deployer > 0);
      expect(sent.slice(1)).toEqual([true, true]);
      const second = await deploy(networks, args, { ...options, durable });
      expect(second.messages).toEqual([undefined, undefined, undefined]);
    });
  });
}
