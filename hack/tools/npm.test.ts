import { createHash } from 'node:crypto';
import { catalogue } from './catalogue.ts';
import { checkIntegrity } from './npm.ts';

const archive = Buffer.from('archive');
const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;

it('an archive with the pinned checksum is accepted', () => {
  expect(() => checkIntegrity({ ...catalogue.gnd, integrity }, archive)).not.toThrow();
});

it('another archive is rejected with the name of the package', () => {
  expect(() => checkIntegrity(catalogue.gnd, archive)).toThrow('@graphprotocol/gnd-linux-x64');
});
