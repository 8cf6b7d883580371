import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consensusFlags } from '../../core/chains/ethereum/extraArgs/consensusFlags.ts';
import { executionFlags } from '../../core/chains/ethereum/extraArgs/executionFlags.ts';
import { type AllowedFlags, readExtraArgs } from '../../core/chains/ethereum/extraArgs/read.ts';
import { projectRoot } from '../lib/paths.ts';

const folders = ['docs', 'docs/examples'];
const pages = folders.flatMap((folder) =>
  readdirSync(join(projectRoot, folder))
    .filter((name) => /\.(md|ya?ml)$/.test(name))
    .map((name) => readFileSync(join(projectRoot, folder, name), 'utf8')),
);
const clients: Record<string, readonly AllowedFlags[]> = {
  el: Object.values(executionFlags),
  cl: Object.values(consensusFlags),
};
const examples = pages.flatMap((text) =>
  [...text.matchAll(/\b(el|cl)ExtraArgs: ["']?(-[^\n"'}]*)/g)].map(([, layer = '', line = '']) => [
    line,
    layer,
  ]),
);

it('finds the examples of extra arguments', () => {
  expect(examples.length).toBeGreaterThan(1);
});

it.each(examples)('an example of the documents is accepted: %s', (line, layer) => {
  const isAccepted = (allowed: AllowedFlags) => 'args' in readExtraArgs(line, allowed);
  expect(clients[layer]?.some(isAccepted)).toBe(true);
});
