import { readSources, readTokenSources } from './compile.ts';

const sources = Object.entries(readSources());
const all = Object.entries({ ...readSources(), ...readTokenSources() });

it('finds the Solidity sources', () => {
  expect(sources.length).toBeGreaterThan(10);
});

it.each(all)('%s declares its licence and the exact compiler version', (_path, { content }) => {
  expect(content).toMatch(/^\/\/ SPDX-License-Identifier: Apache-2\.0\npragma solidity 0\.8\.28;\n/);
});

it.each(sources)(
  '%s can be a genesis contract: it has no constructor and no immutables',
  (_path, { content }) => {
    expect(content).not.toMatch(/\bconstructor\b|\bimmutable\b/);
  },
);
