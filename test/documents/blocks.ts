import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';

/** A block of code in a document. */
export interface CodeBlock {
  /** Path of the document from the root of the repository. */
  document: string;
  /** First word after the fence; empty without one. */
  language: string;
  /** The words after it, which readers do not see. A test finds its blocks by them. */
  words: string[];
  text: string;
  /** Line of the fence, from 1. */
  line: number;
}

/** The documents that people write: changes and decisions speak of their time, and generated pages are held by their generators. */
export const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: projectRoot })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !/^(CHANGELOG\.md|docs\/decisions\/)/.test(file))
  .filter((file) => !textOf(file).startsWith('<!-- Generated'));

/** The blocks of a document, in their order. */
export function blocksOf(document: string): CodeBlock[] {
  const text = textOf(document);
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [language = '', ...words] = (match[1] ?? '').split(' ');
    const line = text.slice(0, match.index).split('\n').length;
    return { document, language, words, text: match[2] ?? '', line };
  });
}

/** Whether a block is for a shell. */
export const isShell = ({ language }: CodeBlock): boolean => ['sh', 'bash'].includes(language);

/** Whether a block is a program, or a part of one. */
export const isProgram = ({ language }: CodeBlock): boolean =>
  ['js', 'ts', 'python', 'go', 'toml'].includes(language);

/** The first line of a block, by which tables name it. */
export const firstLineOf = ({ text }: CodeBlock): string => text.split('\n')[0] ?? '';

function textOf(document: string): string {
  return readFileSync(join(projectRoot, document), 'utf8');
}
