import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import ts from 'typescript';
import { formats } from './formats.ts';

/** A regular expression in the code, or one of zod's that the code uses. */
export interface Pattern {
  file: string;
  /** As it is written: `/^a+$/i`, or `z.email()`. */
  text: string;
  regex: RegExp;
}

export interface Collected {
  patterns: Pattern[];
  /** What cannot be listed, with the place and the remedy. */
  refused: string[];
}

const root = join(import.meta.dirname, '../..');
/** What runs in an installation, in clients and in browsers. */
const folders = ['apiserver', 'cli', 'console', 'core', 'engines', 'operator', 'sdk'];
const isSource = /\.tsx?$/;
const isElse = /\.test\.tsx?$|\/(testing|node_modules|dist)\//;

/** All patterns in that code, in the order of the files. */
export function collectPatterns(): Collected {
  const found = filesIn(folders).map((file) => patternsIn(file, readFileSync(join(root, file), 'utf8')));
  return {
    patterns: found.flatMap(({ patterns }) => patterns),
    refused: found.flatMap(({ refused }) => refused),
  };
}

function filesIn(all: readonly string[]): string[] {
  return all
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))),
    )
    .filter((file) => isSource.test(file) && !isElse.test(file))
    .sort();
}

/** The patterns of one file. Only literals can be found and measured: everything else that becomes a pattern is refused. */
export function patternsIn(file: string, text: string): Collected {
  const found: Collected = { patterns: [], refused: [] };
  const kind = extname(file) === '.tsx' ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  const visit = (node: ts.Node): void => {
    const use = useIn(node);
    if (use?.regex) found.patterns.push({ file, text: use.text, regex: use.regex });
    if (use && !use.regex) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.refused.push(`${file}:${line + 1}: ${use.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A pattern and its text, or why it is refused. */
interface Use {
  text: string;
  regex?: RegExp | undefined;
}

function useIn(node: ts.Node): Use | undefined {
  if (ts.isRegularExpressionLiteral(node)) return { text: node.text, regex: regexOf(node.text) };
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  const format = formatOf(node);
  if (format === undefined) return refusalOf(node);
  const regex = formats[format];
  return regex ? { text: `z.${format}()`, regex } : { text: unknownFormat(format) };
}

function regexOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

const unknownFormat = (format: string) => `z.${format} is not known: add it to hack/patterns/formats.ts`;

/** zod's own formats: `email` of `z.email(...)`, `iso.datetime` of `z.iso.datetime(...)`. */
function formatOf({ expression }: ts.CallExpression | ts.NewExpression): string | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { expression: owner, name } = expression;
  if (ts.isIdentifier(owner) && owner.text === 'z' && isFormat(name.text)) return name.text;
  const isIso = ts.isPropertyAccessExpression(owner) && owner.name.text === 'iso';
  return isIso && ts.isIdentifier(owner.expression) && owner.expression.text === 'z'
    ? `iso.${name.text}`
    : undefined;
}

/** What zod checks with a pattern, and does not take one for. */
const isFormat = (name: string) =>
  /^(email|uuid\w*|guid|nanoid|cuid2?|ulid|xid|ksuid|ipv[46]|cidrv[46]|mac|base64(url)?|e164|jwt|emoji|hostname|hex|hash|duration|httpUrl|templateLiteral)$/.test(
    name,
  );

/** Methods that take a text for the source of a pattern. */
const takesPattern = ['match', 'matchAll', 'search'];

function refusalOf({ expression, arguments: given }: ts.CallExpression | ts.NewExpression): Use | undefined {
  if (ts.isIdentifier(expression) && expression.text === 'RegExp')
    return {
      text: 'a pattern that is put together cannot be measured: write it as a literal, or search without one',
    };
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const first = given?.[0];
  const isText = first && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first));
  const isPattern = isText && takesPattern.includes(expression.name.text);
  return isPattern ? { text: 'this text is the source of a pattern: write it as a literal' } : undefined;
}
