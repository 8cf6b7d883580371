import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { definitions } from '../../hack/generate/definitions.ts';
import { blocksOf, type CodeBlock } from '../../hack/lib/codeBlocks.ts';
import { projectRoot } from '../../hack/lib/paths.ts';
import { documents } from './documents.ts';
import { firstLineOf, heldBy, heldOtherwise, isShell } from './held.ts';

/** What a reader copies works: commands are run, and what is not a command can be read by what it is for. */

const blocks = documents.flatMap(blocksOf);
const ofLanguage = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map((block) => [nameOf(block), block] as const);
const nameOf = ({ document, line }: CodeBlock) => `${document}:${line}`;

/** Whether a block is a program, or a part of one. */
const isProgram = ({ language }: CodeBlock): boolean =>
  ['js', 'ts', 'python', 'go', 'toml'].includes(language);
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

it('a test that is said to hold blocks of a document reads the document', () => {
  const wrong = blocks.flatMap((block) => {
    const held = heldBy(block);
    if (!held || !('by' in held)) return [];
    return readsDocument(held.by, block.document) ? [] : [`${held.by} does not read ${block.document}`];
  });
  expect([...new Set(wrong)]).toEqual([]);
});

/** Whether a test, or what it imports, names a document. */
function readsDocument(test: string, document: string): boolean {
  const sources = [test, ...importsOf(test)].map((file) => readFileSync(join(projectRoot, file), 'utf8'));
  const names = [
    basename(document),
    "'*.md'",
    ...(dirname(document) === 'docs/plugins' ? ["'plugins'"] : []),
  ];
  return sources.some((source) => names.some((name) => source.includes(name)));
}

function importsOf(file: string): string[] {
  const found = [...readFileSync(join(projectRoot, file), 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)];
  return found.map(([, path = '']) => normalize(join(dirname(file), path)));
}

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
    // A part of a manifest, or values of the chart.
    if (kind === undefined) continue;
    expect(apiVersion).toBe('slipway.dev/v1alpha1');
    const definition = definitions.find(({ type }) => type.kind === kind);
    expect(definition?.spec.safeParse(spec)).toMatchObject({ success: true });
  }
});
