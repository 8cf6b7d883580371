import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** A block of code in a document. */
export interface CodeBlock {
  /** Path of the document from the root of the repository. */
  document: string;
  /** The heading above it, of the second level or below; empty before the first one. */
  heading: string;
  /** First word after the fence; empty without one. */
  language: string;
  /** The words after it, which readers do not see. A test finds its blocks by them. */
  words: string[];
  text: string;
  /** Line of the fence, from 1. */
  line: number;
}

/** A block, or a heading. What begins with `#` in a block is not a heading. */
const part = /^```(.*)\n([\s\S]*?)^```$|^##+ (.+)$/gm;

/** The blocks of code in a document, in their order. */
export function blocksOf(document: string): CodeBlock[] {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  const blocks: CodeBlock[] = [];
  let heading = '';
  for (const { 1: fence = '', 2: code, 3: title, index } of text.matchAll(part)) {
    if (code === undefined) {
      heading = title ?? '';
      continue;
    }
    const [language = '', ...words] = fence.split(' ');
    const line = text.slice(0, index).split('\n').length;
    blocks.push({ document, heading, language, words, text: code, line });
  }
  return blocks;
}
