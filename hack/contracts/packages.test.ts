import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { checkIntegrity, contractPackages } from './packages.ts';

const documented = readFileSync(join(projectRoot, 'docs', 'licences.md'), 'utf8');
const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');

it.each(contractPackages)('$name is pinned to one version and archive', ({ version, integrity }) => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(-beta\.\d+)?$/);
  expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
});

it.each(contractPackages)(
  '$name is documented with its version and licence',
  ({ name, version, licence }) => {
    const row = documented.split('\n').find((line) => line.startsWith(`| ${name} | ${version} |`));
    expect(row).toContain(`| ${licence.split(',')[0]}`);
  },
);

it.each(contractPackages)(
  '$name is not an npm dependency, so its own dependencies need not be installable',
  ({ name }) => {
    expect(manifest).not.toContain(`"${name}"`);
  },
);

describe('an archive', () => {
  const bytes = Buffer.from('archive');
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const one = { name: 'a-package', version: '1.0.0', licence: 'MIT', integrity };

  it('is accepted when its checksum matches', () => {
    expect(() => checkIntegrity(one, bytes)).not.toThrow();
  });

  it('is rejected with its name when its checksum differs', () => {
    expect(() => checkIntegrity(one, Buffer.from('other'))).toThrow('a-package@1.0.0');
  });
});
