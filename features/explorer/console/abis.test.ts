import { keepAbi, keptContract, keptContracts } from './abis.ts';

function aStorage(first?: string) {
  let kept = first ?? null;
  return {
    getItem: () => kept,
    setItem(_name: string, text: string) {
      kept = text;
    },
  };
}

const address = `0x${'Ab'.repeat(20)}`;
const abi = [{ type: 'function', name: 'f' }];

it('an ABI is known for its contract on its chain alone', () => {
  const storage = aStorage();
  keepAbi(storage, { enclaveID: 'one', address }, { name: 'Counter', abi });
  expect(keptContract(storage, 'one', address.toLowerCase())).toMatchObject({
    name: 'Counter',
    origin: 'browser',
    abi,
  });
  expect(keptContract(storage, 'two', address)).toBeUndefined();
  expect(keptContracts(storage, 'one')).toEqual([{ address: address.toLowerCase(), name: 'Counter' }]);
  expect(keptContracts(storage, 'two')).toEqual([]);
});

it('the oldest ones go, and what cannot be read is none', () => {
  const storage = aStorage('{broken');
  for (let at = 0; at < 51; at += 1) keepAbi(storage, { enclaveID: String(at), address }, { name: 'A', abi });
  expect([keptContract(storage, '0', address), keptContract(storage, '50', address)?.name]).toEqual([
    undefined,
    'A',
  ]);
  expect(() =>
    keepAbi(storage, { enclaveID: 'x', address }, { name: 'A', abi: [{ text: 'x'.repeat(200_001) }] }),
  ).toThrow('too long');
});
