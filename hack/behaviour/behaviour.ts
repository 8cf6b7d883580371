import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { readYaml } from '../lib/yaml.ts';

/** A detail of what Slipway does that users can rely on, and the files with the tests that check it. */
const statementSchema = z.strictObject({
  about: z.string().min(1),
  text: z.string().min(1),
  tests: z.array(z.string().endsWith('.test.ts')).min(1),
});

const sectionSchema = z.strictObject({
  heading: z.string().min(1),
  statements: z.array(statementSchema).min(1),
});

type Section = z.infer<typeof sectionSchema>;

/** The sections in the order of their files' names. */
export function readSections(): Section[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => readYaml(`hack/behaviour/${name}`, sectionSchema));
}

const note = '<!-- Generated from hack/behaviour by "make generate". Do not edit. -->\n';

/** docs/behaviour.md: the statements, for users. */
export function behaviourPage(sections: Section[]): string {
  const intro = [
    'Corner cases that the [API reference](api.md) does not spell out.',
    'Each statement is checked by at least one test: see [behaviour-tests.md](behaviour-tests.md).',
  ].join(' ');
  const tables = sections.map(({ heading, statements }) =>
    table(
      heading,
      ['case', 'behaviour'],
      statements.map(({ about, text }) => [about, text]),
    ),
  );
  return [note, '# Behaviour\n', `${intro}\n`, ...tables].join('\n');
}

/** docs/behaviour-tests.md: which tests hold which statement, for developers. */
export function behaviourTestsPage(sections: Section[]): string {
  const intro =
    'The files with the tests that check each statement of [behaviour.md](behaviour.md). The titles of the tests say which.';
  const tables = sections.map(({ heading, statements }) =>
    table(
      heading,
      ['case', 'tests'],
      statements.map(({ about, tests }) => [about, tests.map((file) => `\`${file}\``).join(', ')]),
    ),
  );
  return [note, '# Tests behind each statement\n', `${intro}\n`, ...tables].join('\n');
}

function table(heading: string, columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  const separator = line(columns.map(() => '---'));
  return `## ${heading}\n\n${line(columns)}${separator}${rows.map(line).join('')}`;
}
