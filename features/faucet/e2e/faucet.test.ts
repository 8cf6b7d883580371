import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../../../e2e/lib/networks.ts';
import { call, freshName, until } from '../../../e2e/lib/service.ts';

describe('the faucet', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = (await createNetwork({ privateKeyRef: { name: (await createHotKey()).name } })).body);
    await reach(id, 'Operational');
  });
  afterAll(() => remove(id));

  it('pays coins once for one Idempotency-Key', async () => {
    const { rpc } = await endpointsOf(id);
    const address = Wallet.createRandom().address;
    const options = {
      body: { address, amount: String(parseEther('2.5')) },
      headers: { 'Idempotency-Key': freshName('faucet') },
    };
    const answers = [await pay(options), await pay(options)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1 });
    const balance = () => provider.getBalance(address);
    expect(await until('the payment', balance, (found) => found > 0n)).toBe(parseEther('2.5'));
    provider.destroy();
  });

  const pay = (options: object) => call('POST', `/v1alpha/networks/${id}/faucet`, options);
});
