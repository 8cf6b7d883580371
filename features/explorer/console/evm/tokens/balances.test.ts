import { nftsOf, positionsOf } from './balances.ts';
import type { Transfer } from './transfers.ts';

const [zero, ann, bob] = ['00', '11', '22'].map((digits) => `0x${digits.repeat(20)}`) as [
  string,
  string,
  string,
];
const token = `0x${'44'.repeat(20)}`;
let count = 0;
const moved = (more: Partial<Transfer>): Transfer => {
  count += 1;
  const common = { key: String(count), hash: '0xaa', block: 1n, token, from: zero, to: ann, amount: 1n };
  return { ...common, standard: 'ERC-20', ...more };
};
/** The newest first: 1 went from Ann to Bob, and 2 stayed with Ann. */
const nfts = [
  moved({ standard: 'ERC-721', tokenId: 1n, from: ann, to: bob }),
  moved({ standard: 'ERC-721', tokenId: 2n }),
  moved({ standard: 'ERC-721', tokenId: 1n }),
];

test('the holders of a token are looked for among all who gave or got it, each once', () => {
  const found = positionsOf({ token }, [moved({ from: ann, to: bob }), moved({})]);
  expect(found.map(({ account }) => account)).toEqual([bob, ann]);
});

test('whoever has most by the transfers comes first, and nobody is left out', () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    moved({ to: `0x${String(index).padStart(40, '0')}`, from: ann }),
  );
  const found = positionsOf({ token }, [...many, moved({ to: bob, amount: 500n })]);
  expect([found[0]?.account, found.at(-1)?.account, found.length]).toEqual([bob, ann, 301]);
});

test('NFTs have holders, too: one number each', () => {
  expect(positionsOf({ token }, nfts)).toEqual([
    { token, account: ann, standard: 'ERC-721' },
    { token, account: bob, standard: 'ERC-721' },
  ]);
});

test('of ERC-1155 tokens, each kind is looked at by itself', () => {
  const kinds = [3n, 4n].map((tokenId) => moved({ standard: 'ERC-1155', tokenId }));
  expect(positionsOf({ account: ann }, kinds).map(({ tokenId }) => tokenId)).toEqual([3n, 4n]);
});

test('an NFT is with whoever got it last', () => {
  const found = nftsOf(nfts);
  expect([found.get(`${token}/${ann}`), found.get(`${token}/${bob}`)]).toEqual([[2n], [1n]]);
});
