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
const folders = [
  'admission',
  'apiserver',
  'cli',
  'console',
  'core',
  'engines',
  'features',
  'forks',
  'mcp',
  'operator',
  'sdk',
];
const sourceFile = /\.tsx?$/;
const notProduction = /\.test\.tsx?$|\/(testing|node_modules|dist)\//;

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
    .filter((file) => sourceFile.test(file) && !notProduction.test(file))
    .sort();
}

/** The patterns of one file. Only literals can be found and measured: everything else that becomes a pattern is refused. */
export function patternsIn(file: string, text: string): Collected {
  const found: Collected = { patterns: [], refused: [] };
  const source = parse(file, text);
  const seen: Seen = { source, names: new Set() };
  const visit = (node: ts.Node): void => {
    // What is only said about types becomes no pattern.
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (isConstantPattern(node)) seen.names.add(node.name.text);
    const use = useIn(node, seen);
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

function parse(file: string, text: string): ts.SourceFile {
  const kind = extname(file) === '.tsx' ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  return ts.createSourceFile(
    file,
    text,
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode },
    false,
    kind,
  );
}

/** What is known of a file. */
interface Seen {
  source: ts.SourceFile;
  /** Constants that are patterns. */
  names: Set<string>;
}

function isConstantPattern(node: ts.Node): node is ts.VariableDeclaration & { name: ts.Identifier } {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return false;
  return node.initializer !== undefined && ts.isRegularExpressionLiteral(node.initializer);
}

/** A pattern and its text, or why it is refused. */
interface Use {
  text: string;
  regex?: RegExp | undefined;
}

function useIn(node: ts.Node, seen: Seen): Use | undefined {
  if (ts.isRegularExpressionLiteral(node)) return { text: node.text, regex: regexOf(node.text) };
  if (ts.isIdentifier(node) && node.text === 'RegExp') return { text: composed };
  if (ts.isPropertyAccessExpression(node) && isZod(node.expression) && node.name.text === 'regexes')
    return { text: "zod's own patterns cannot be listed here: use a format, or write a literal" };
  return ts.isCallExpression(node) ? (formatIn(node, seen) ?? sourceIn(node, seen)) : undefined;
}

const composed =
  'a pattern that is put together cannot be measured: write it as a literal, or search without one';

function regexOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

const isZod = (node: ts.Node): boolean => ts.isIdentifier(node) && node.text === 'z';

/** One of zod's formats: `z.email(...)`, `z.iso.datetime(...)`, or the former `z.string().email(...)`. */
function formatIn({ expression, arguments: given }: ts.CallExpression, { source }: Seen): Use | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { expression: owner, name } = expression;
  const isIso = ts.isPropertyAccessExpression(owner) && owner.name.text === 'iso' && isZod(owner.expression);
  const isOwn = isFormat(name.text) && (isZod(owner) || isOnZod(owner));
  if (!isIso && !isOwn) return undefined;
  const options = given.filter((one) => !ts.isStringLiteralLike(one)).map((one) => one.getText(source));
  const text = `${expression.getText(source)}(${options.join(', ')})`;
  const regex = formats[text];
  return regex ? { text, regex } : { text: `${text} is not known: add it to hack/patterns/formats.ts` };
}

/** What zod checks with a pattern, and does not take one for. */
const isFormat = (name: string) =>
  /^(email|uuid\w*|guid|nanoid|cuid2?|ulid|xid|ksuid|ipv[46]|cidrv[46]|mac|base64(url)?|e164|jwt|emoji|hostname|hex|hash|date|time|datetime|duration|httpUrl|templateLiteral)$/.test(
    name,
  );

/** Whether a schema is made where it is used: `z.string().min(1)`. */
function isOnZod(node: ts.Node): boolean {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const owner = node.expression.expression;
  return isZod(owner) || isOnZod(owner);
}

const methodsThatCompileText = ['match', 'matchAll', 'search'];

/** A text that becomes a pattern. What is neither a literal nor a constant above that is one may be a text. */
function sourceIn({ expression, arguments: given }: ts.CallExpression, { names }: Seen): Use | undefined {
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  if (!methodsThatCompileText.includes(expression.name.text)) return undefined;
  const [first] = given;
  if (!first || ts.isRegularExpressionLiteral(first)) return undefined;
  if (ts.isIdentifier(first) && names.has(first.text)) return undefined;
  return { text: 'this may be the source of a pattern: write it as a literal, or a constant above' };
}
