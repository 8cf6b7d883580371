import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pageStyle } from '../../core/api/openapi/docsPage/style.ts';
import { compress } from '../console/compress.ts';
import { projectRoot } from '../lib/paths.ts';
import {
  decisionsBody,
  decisionsName,
  homeBody,
  indexOf,
  isDecision,
  layOut,
  missingBody,
} from './layout.ts';
import { nameOf, type Page, readPages } from './pages.ts';
import { renderPage } from './render.ts';
import { sectionsOf } from './sections.ts';
import { guideStyle } from './style.ts';

const docs = join(projectRoot, 'docs');

/** Builds docs into a folder, as pages that an installation serves: each file also compressed, but for images. */
export async function buildGuide(outDir: string): Promise<void> {
  const pages = readPages(docs);
  const index = indexOf(pages);
  const files = new Set(globSync('**/*.{svg,webp,yaml,json}', { cwd: docs }));
  const documents = new Set(pages.map(({ document }) => document));
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  mkdirSync(outDir, { recursive: true });
  const write = (name: string, text: string) => {
    writeFileSync(join(outDir, name), text);
    compress(join(outDir, name));
  };
  const writePage = (name: string, title: string, body: string) =>
    write(`${name}.html`, layOut({ title, body, index, current: name, version }));
  writePage('index', 'Documentation', homeBody(index));
  writePage(decisionsName, 'Decisions', decisionsBody(pages));
  writePage('404', 'Page not found', missingBody);
  for (const page of pages) {
    const { html, files: named } = renderPage(page, { documents, files });
    writePage(page.name, page.title, html);
    for (const file of named) copyFileSync(join(docs, file), join(outDir, nameOf(file)));
  }
  write('search.json', JSON.stringify(pages.filter(isSearched).flatMap(sectionsOf)));
  write('guide.css', pageStyle + guideStyle);
  write('guide.js', await script());
}

/** Lists that tests write for themselves would come before what a user looks for. */
const unsearched = ['behaviour-tests', 'patterns'];
const isSearched = (page: Page) => !isDecision(page) && !unsearched.includes(page.document);

async function script(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['console/src/guide.ts'],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    legalComments: 'inline',
  });
  return outputFiles[0]?.text ?? '';
}
