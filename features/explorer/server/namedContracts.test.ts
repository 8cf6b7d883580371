import type { ContractPlace } from '../../../apiserver/contracts.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { namedContracts } from './namedContracts.ts';

const at = (digit: string) => `0x${digit.repeat(40)}`;
const { metadata, ...rest } = aNetwork({ name: 'a', namespace: 'ws-one', status: { enclaveID: 'e-1' } });
const network = {
  ...rest,
  metadata: { ...metadata, namespace: 'ws-one', uid: 'u-1', resourceVersion: '1', creationTimestamp: '' },
};
const abi = '[{"type":"fallback"}]';

/** Looks contracts up, and tells which were read, what was charged and how much memory was taken. */
async function lookUp(addresses: string[]) {
  const read: string[] = [];
  const charges: number[] = [];
  const taken: number[] = [];
  const named = await namedContracts(
    {
      async findContract({ address }: ContractPlace, charge) {
        read.push(address);
        charge(3);
        return { name: 'src/A.sol:A', abi };
      },
      tokens: { inNamespace: () => [] },
      findAbi: async () => undefined,
    },
    network as never,
    {
      addresses,
      charge: (requests) => void charges.push(requests),
      take: (bytes) => void taken.push(bytes),
    },
  );
  return { read, charges, taken, named: named.map((json) => JSON.parse(json)) };
}

it('an address that is named many times is read once', async () => {
  const { read, charges, named } = await lookUp([
    at('b'),
    ...Array.from({ length: 19 }, () => at('B')),
    at('a'),
  ]);
  expect(read).toEqual([at('b'), at('a')]);
  expect(named.map(({ address }) => address)).toEqual([at('b'), at('a')]);
  expect(charges).toEqual([3, 3]);
});

it('the ABIs of an answer are memory of the account', async () => {
  const { taken, named } = await lookUp([at('a'), at('b')]);
  expect(named[0]).toEqual({
    address: at('a'),
    origin: 'verified',
    name: 'src/A.sol:A',
    abi: JSON.parse(abi),
  });
  expect(taken).toEqual([abi.length, abi.length]);
});
