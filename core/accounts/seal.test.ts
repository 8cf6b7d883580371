import { createSealer, isBoundToOwner, isSealed } from './seal.ts';
import { sealFormerly } from './testing/formerSeal.ts';

const masterKey = Buffer.alloc(32, 1);
const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', masterKey]]) });
const place = { namespace: 'ws', name: 'key', owner: 'ann' };
const bytes = Buffer.from('the secret');
const sealed = sealer.seal(bytes, place);

test('data opens where it was sealed, for whom it was sealed', () => {
  expect(sealer.unseal(sealed, place)).toEqual(bytes);
});

test.each([
  ['another owner', { ...place, owner: 'eve' }],
  ['no owner', { ...place, owner: '' }],
  ['another name', { ...place, name: 'other' }],
  ['another namespace', { ...place, namespace: 'other' }],
  ['an owner that a name could spell', { ...place, name: 'key/ann', owner: '' }],
])('it does not open under %s, and the message says so without quoting it', (_what, elsewhere) => {
  expect(() => sealer.unseal(sealed, elsewhere)).toThrow(
    `secret "${elsewhere.name}" cannot be opened: its data was changed, or sealed for another owner, namespace or name`,
  );
});

describe('data that was sealed before owners were bound', () => {
  const former = sealFormerly(['k1', masterKey], bytes, place);

  it('still opens', () => {
    expect(sealer.unseal(former, place)).toEqual(bytes);
  });

  it('is not current, so that resealing binds it', () => {
    expect([former, sealed].map(sealer.isCurrent)).toEqual([false, true]);
    expect([former, sealed].map(isBoundToOwner)).toEqual([false, true]);
  });

  it('does not pass for the current version, nor does that pass for it', () => {
    for (const [text, from, to] of [[former, 'v1', 'v2'] as const, [sealed, 'v2', 'v1'] as const]) {
      expect(() => sealer.unseal(text.replace(from, to), place)).toThrow(/was changed/);
    }
  });
});

test.each([0, 4, 8, 12, 27])('a box of %i bytes is truncated, whatever tag GCM would accept', (length) => {
  const [head, wrapped] = [sealed.split(':').slice(0, 3).join(':'), sealed.split(':')[3]];
  const text = `${head}:${wrapped}:${Buffer.alloc(length).toString('base64url')}`;
  expect(isSealed(text)).toBe(length > 0);
  expect(() => sealer.unseal(text, place)).toThrow(length > 0 ? /is truncated/ : /not sealed/);
});
