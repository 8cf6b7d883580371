import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { features as registered } from '../../features/registry/images.ts';
import type { ImagesFeature } from '../lib/featureImage.ts';
import { projectRoot } from '../lib/paths.ts';
import { compilerPackages } from './compilers.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

it.each(compilerPackages)('the compiler $version is pinned to one archive', ({ version, integrity }) => {
  expect(version).toMatch(/^0\.(6\.\d\d?|7\.\d|8\.\d\d?)$/);
  expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
});

it('the versions are distinct and in order, and documented with their licence', () => {
  const versions = compilerPackages.map(({ version }) => version);
  const sorted = [...new Set(versions)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  expect(versions).toEqual(sorted);
  expect(read('docs/verification.md')).toContain(versions.join(', '));
  expect(read('docs/licences.md')).toMatch(/\| solc \|.*GPL-3\.0/);
});

it('the image has every bundle of its process', () => {
  const features: readonly ImagesFeature[] = registered;
  const images = features.flatMap((feature) => feature.images);
  const { programs = {} } = images.find(({ image }) => image === 'compilers') ?? {};
  const bundles = Object.keys(programs).map((name) => `${name}.js`);
  expect(bundles).toContain('compileChild.js');
  const copied = read('engines/compilers/Dockerfile').split(/\s+/);
  expect(bundles.filter((name) => !copied.includes(name))).toEqual([]);
});
