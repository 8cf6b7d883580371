import { createEvmRpc, createRpcAgent, type EvmRpc } from '../../../core/evm/rpc.ts';
import { type PlainAnvil, startPlainAnvil } from '../../../core/evm/testing/plainAnvil.ts';
import { type DfnsWorld, startDfns } from './world.ts';

const ether = 10n ** 18n;
export const receiver = '0x00000000000000000000000000000000DeaDBeef';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape.
type Body = any;

/** The server of the plugin beside a real anvil, while the tests of a file run. */
export function createScene() {
  const agent = createRpcAgent();
  let anvil: PlainAnvil;
  let rpc: EvmRpc;
  let world: DfnsWorld;
  beforeAll(async () => {
    anvil = await startPlainAnvil(['--accounts', '1']);
    rpc = createEvmRpc({ url: anvil.url, agent });
    world = await startDfns({ rpcUrl: anvil.url });
  });
  afterAll(async () => {
    await world.close();
    await agent.destroy();
    await anvil.close();
  });
  const fund = (address: string) =>
    rpc.call('anvil_setBalance', [address, `0x${(10n * ether).toString(16)}`]);
  const newWallet = async (members: object = {}): Promise<Body> => {
    const { status, body } = await world.ask('POST', '/wallets', { network: 'Ethereum', ...members });
    expect([status, body.status]).toEqual([200, 'Active']);
    return body;
  };
  return {
    get world() {
      return world;
    },
    get rpc() {
      return rpc;
    },
    get rpcUrl() {
      return anvil.url;
    },
    fund,
    newWallet,
    async fundedWallet(): Promise<Body> {
      const wallet = await newWallet();
      await fund(wallet.address);
      return wallet;
    },
    /** Asks until a transfer or transaction is settled. */
    async settled(path: string, from = world): Promise<Body> {
      for (let tries = 0; tries < 500; tries += 1) {
        const { body } = await from.ask('GET', path);
        if (['Confirmed', 'Failed'].includes(body.status)) return body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`not settled: ${path}`);
    },
  };
}
