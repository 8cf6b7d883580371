import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** The rules of CONTRIBUTING.md that the linter cannot check. */

const maxFilesInFolder = 20;
const maxLines = 400;

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
})
  .toString()
  .split('\n')
  .filter((file) => file !== '');
const textOf = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const production = tracked.filter(
  (file) =>
    /^(core|operator|apiserver|admission|forks|features|mcp|console|engines|hack|sdk|cli|test)\/.*\.tsx?$/.test(
      file,
    ) && !/\.test\.ts$|\/(testing|generated)\//.test(file),
);

it('finds the files that it judges', () => {
  expect(tracked).toContain('README.md');
  expect(production).toEqual(expect.arrayContaining(['operator/main.ts', 'core/lib/errors.ts']));
});

it(`no folder has more than ${maxFilesInFolder} production files beside each other, so that a file can be found`, () => {
  const folders = Map.groupBy(production, (file) => dirname(file));
  const crowded = [...folders].filter(([, files]) => files.length > maxFilesInFolder);
  expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});

it(`no production file has more than ${maxLines} lines`, () => {
  expect(production.filter((file) => textOf(file).trimEnd().split('\n').length > maxLines)).toEqual([]);
});

it('text has straight quotes only, so that it can be typed, searched and pasted into a shell', () => {
  const other = /[\u00ab\u00bb\u2018\u2019\u201c\u201d]/;
  const isText = (text: string) => !text.includes('\0');
  const lines = tracked.flatMap((file) => {
    const text = textOf(file);
    if (!isText(text) || !other.test(text)) return [];
    return text.split('\n').flatMap((line, index) => (other.test(line) ? [`${file}:${index + 1}`] : []));
  });
  expect(lines).toEqual([]);
});

it("data of contracts is decoded by core/abi/decode.ts alone: ethers' decoder takes seconds for what somebody can make", () => {
  const decoders =
    /\b(parseLog|parseError|parseTransaction|decodeFunction(Data|Result)|decodeEventLog|decodeErrorResult)\(|[cC]oder(\(\))?\.decode\(\s*\[/;
  // The agent of one network, which reads no other chain.
  const others = production.filter((file) => !file.startsWith('engines/vrf/') && !file.startsWith('hack/'));
  expect(others.filter((file) => decoders.test(textOf(file)))).toEqual([]);
});
