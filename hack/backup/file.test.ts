import { asStored } from '../../core/api/testing/stored.ts';
import type { Backup } from './collect.ts';
import { checkPassphrase, packBackup, unpackBackup } from './file.ts';

const namespace = 'slipway-system';
const backup: Backup = {
  id: 'b',
  takenAt: '2026-01-01T00:00:00Z',
  version: '0.5.0',
  namespace,
  objects: [asStored({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'slipway-keys', namespace } })],
  volumes: [],
};
const passphrase = 'correct horse battery';
const file = packBackup(backup, passphrase);

it('a backup opens with its passphrase, and its first line alone can be read', () => {
  expect(unpackBackup(file, passphrase)).toEqual(backup);
  expect(file.toString('latin1')).toMatch(/^slipway backup 2, written by 0\.5\.0\n/);
  expect(file.includes('slipway-keys')).toBe(false);
});

const changed = (at: number) => Buffer.from(file.map((byte, index) => (index === at ? byte ^ 1 : byte)));

it.each([
  ['another passphrase', file, 'incorrect horse battery', /is not its passphrase/],
  ['a changed cipher text', changed(file.length - 1), passphrase, /was changed/],
  ['a changed version', changed(file.indexOf('\n') - 1), passphrase, /was changed/],
  ['another format', changed(file.indexOf('2')), passphrase, /not a backup of this format/],
  ['an empty file', Buffer.alloc(0), passphrase, /not a backup of this format/],
])('%s is refused', (_what, bytes, given, message) => {
  expect(() => unpackBackup(bytes, given)).toThrow(message);
});

it.each([undefined, 'short'])(
  'a passphrase that is none is refused, and the message says why: %s',
  (given) => {
    expect(() => checkPassphrase(given)).toThrow(/at least 12 characters(.|\n)*holds the master keys/);
  },
);
