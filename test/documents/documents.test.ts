import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { definitions } from '../../hack/generate/definitions.ts';
import { projectRoot } from '../../hack/lib/paths.ts';
import { blocksOf, type CodeBlock, documents, firstLineOf, isProgram, isShell } from './blocks.ts';
import { heldBy, heldOtherwise } from './held.ts';

/** What a reader copies works: commands are run, and what is not a command can be read by what it is for. */

const blocks = documents.flatMap(blocksOf);
const ofLanguage = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map((block) => [nameOf(block), block] as const);
const nameOf = ({ document, line }: CodeBlock) => `${document}:${line}`;

const isProgramOrCommand = (block: CodeBlock) => isShell(block) || isProgram(block);

it('finds the blocks of the documents', () => {
  expect(blocks.length).toBeGreaterThan(150);
  expect(blocks.filter(isShell).length).toBeGreaterThan(100);
});

it.each(Object.entries(heldOtherwise))(
  'what is said of blocks of %s is said of a block',
  (document, held) => {
    const lines = blocks
      .filter((block) => isProgramOrCommand(block) && block.document.startsWith(document))
      .map(firstLineOf);
    const unnamed = lines.filter((line) => !Object.hasOwn(held, line));
    expect(
      Object.keys(held).filter((line) => (line === '*' ? unnamed.length === 0 : !lines.includes(line))),
    ).toEqual([]);
  },
);

it('every program is run by a test, or says why not', () => {
  expect(blocks.filter((block) => isProgram(block) && !heldBy(block)).map(nameOf)).toEqual([]);
});

it('the tests that are said to hold blocks exist', () => {
  const tests = blocks.flatMap((block) => {
    const held = heldBy(block);
    return held && 'by' in held ? [held.by] : [];
  });
  expect(tests.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});

it.each(ofLanguage('sh', 'bash'))('%s is a script', (_name, { text }) => {
  execFileSync('bash', ['-n'], { input: text });
});

it.each(ofLanguage('json'))('%s is JSON', (_name, { text }) => {
  JSON.parse(text);
});

it.each(ofLanguage('yaml'))('%s is YAML, and its manifests are valid', (_name, { text }) => {
  for (const document of parseAllDocuments(text)) {
    expect(document.errors).toEqual([]);
    const { apiVersion, kind, spec } = document.toJS() ?? {};
    if (apiVersion !== 'slipway.dev/v1alpha1') continue;
    const definition = definitions.find(({ type }) => type.kind === kind);
    expect(definition?.spec.safeParse(spec).error?.issues).toBeUndefined();
  }
});
