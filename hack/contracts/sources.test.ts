import { readSources, readTokenSources } from './compile.ts';

const sources = Object.entries(readSources());
const all = Object.entries({ ...readSources(), ...readTokenSources() });

it('there are sources', () => {
  expect(sources.length).toBeGreaterThan(10);
});

it.each(all)('%s names its licence and the exact compiler', (_path, { content }) => {
  expect(content).toMatch(/^\/\/ SPDX-License-Identifier: Apache-2\.0\npragma solidity 0\.8\.28;\n/);
});

it.each(sources)(
  '%s can be placed without being deployed: no constructor, no immutables',
  (_path, { content }) => {
    expect(content).not.toMatch(/\bconstructor\b|\bimmutable\b/);
  },
);
