import fc from 'fast-check';
import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import { type CursorScope, createCursors } from './cursor.ts';

const cursors = createCursors(aKeyring('a key'));
const scope: CursorScope = { caller: 'one/ann', endpoint: 'listNetworks', filter: '' };
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const scopes = fc.record({ caller: text, endpoint: text, filter: text });
const refused = expect.objectContaining({
  reason: 'BadRequest',
  details: [expect.objectContaining({ path: 'cursor' })],
});

it('opens its own cursors on every replica', () => {
  fc.assert(
    fc.property(scopes, text, (anyScope, position) => {
      const replica = createCursors(aKeyring('a key'));
      expect(replica.open(anyScope, cursors.seal(anyScope, position))).toBe(position);
    }),
  );
});

it('refuses a cursor with any character changed, added or removed', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
  const edit = fc.record({
    at: fc.nat(),
    character: fc.constantFrom(...alphabet),
    kind: fc.constantFrom('replace', 'insert', 'remove'),
  });
  fc.assert(
    fc.property(text, edit, (position, { at, character, kind }) => {
      const sealed = cursors.seal(scope, position);
      const place = at % sealed.length;
      const rest = sealed.slice(kind === 'insert' ? place : place + 1);
      const changed = sealed.slice(0, place) + (kind === 'remove' ? '' : character) + rest;
      fc.pre(changed !== sealed);
      expect(() => cursors.open(scope, changed)).toThrow(refused);
    }),
    { numRuns: 1000 },
  );
});

it('refuses a cursor of another caller, endpoint or filter', () => {
  fc.assert(
    fc.property(scopes, scopes, text, (mine, other, position) => {
      fc.pre(JSON.stringify(mine) !== JSON.stringify(other));
      expect(() => cursors.open(other, cursors.seal(mine, position))).toThrow(refused);
    }),
  );
});

it('does not confuse scopes whose parts join to the same text', () => {
  const sealed = cursors.seal({ caller: 'ab', endpoint: 'c', filter: '' }, 'x');
  expect(() => cursors.open({ caller: 'a', endpoint: 'bc', filter: '' }, sealed)).toThrow(refused);
});

describe('when the key is rotated', () => {
  const before = createCursors(aKeyring('the old key'));
  const during = createCursors(aKeyring('the new key', 'the old key'));
  const after = createCursors(aKeyring('the new key'));

  it('a cursor under the old key is valid while that key is installed', () => {
    expect(during.open(scope, before.seal(scope, 'x'))).toBe('x');
  });

  it('a new cursor is under the new key', () => {
    expect(after.open(scope, during.seal(scope, 'x'))).toBe('x');
  });

  it('a cursor whose key was removed is 400 and says how to continue', () => {
    expect(() => after.open(scope, before.seal(scope, 'x'))).toThrow(refused);
    expect(() => after.open(scope, before.seal(scope, 'x'))).toThrow(/expired: start again without a cursor/);
  });
});

it('refuses a cursor of another installation, and any other text', () => {
  const foreign = createCursors(aKeyring('another key')).seal(scope, 'x');
  expect(() => cursors.open(scope, foreign)).toThrow(refused);
  fc.assert(
    fc.property(fc.string(), (anything) => {
      expect(() => cursors.open(scope, anything)).toThrow(refused);
    }),
  );
});
