import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../lib/paths.ts';

/**
 * An object literal lists its members. Spreading a literal into another one, or into JSX, only saves lines, and TypeScript
 * then no longer reports members that do not belong there. In production code, neither does the same happen in two steps:
 * a literal without a type that is named only so that the next statement can spread it.
 */

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  {
    cwd: projectRoot,
  },
)
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !file.includes('/generated/'));
const isTest = (file: string) => /\.test\.tsx?$|\/testing\//.test(file);

it.each([
  ['of a literal', 'const a = { ...{ b, c }, d };', ['1: ...{ b, c }']],
  ['of a literal with a cast', 'const a = { ...({ b } as const), d };', ['1: ...({ b } as const)']],
  ['of a literal into JSX', 'const a = <B {...{ c, d }} />;', ['1: {...{ c, d }}']],
  [
    'of a literal that was just named',
    'function f() {\n  const a = { b };\n  return { ...a, c };\n}',
    ['2: a'],
  ],
  ['of a variable', 'const a = { ...b, c };', []],
  ['of one of two literals', 'const a = { ...(b ? { c } : {}), d };', []],
  ['of a literal that has a type', 'function f() {\n  const a: A = { b };\n  return { ...a, c };\n}', []],
  [
    'of a literal that is used twice',
    'function f() {\n  const a = { b };\n  return [{ ...a, c }, { ...a, d }];\n}',
    [],
  ],
  ['of a literal for each call', 'function f() {\n  const a = { b };\n  return (c) => ({ ...a, c });\n}', []],
])('judges a spread %s', (_, text, expected) => {
  expect(packedIn('planted.tsx', text)).toEqual(expected);
});

it('no object literal is spread into another one', () => {
  expect(files).toContain('operator/main.ts');
  const packed = files.flatMap((file) =>
    packedIn(file, readFileSync(join(projectRoot, file), 'utf8')).map((place) => `${file}:${place}`),
  );
  expect(packed).toEqual([]);
});

function packedIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const packed =
      isSpread(node) && isLiteral(node.expression) ? node : isTest(file) ? undefined : namedFor(node);
    if (packed) {
      const { line } = source.getLineAndCharacterOfPosition(packed.getStart());
      found.push(`${line + 1}: ${packed.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isSpread = (node: ts.Node) => ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node);

function isLiteral(expression: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression))
    return isLiteral(expression.expression);
  return ts.isObjectLiteralExpression(expression);
}

/** The name of a literal that only the next statement uses, to spread it at once. */
function namedFor(node: ts.Node): ts.Identifier | undefined {
  if (!ts.isVariableStatement(node) || !ts.isBlock(node.parent)) return undefined;
  const [declared, ...others] = node.declarationList.declarations;
  if (!declared || others.length > 0 || !ts.isIdentifier(declared.name)) return undefined;
  if (declared.type || !declared.initializer || !isLiteral(declared.initializer)) return undefined;
  const { name } = declared;
  const uses = usesOf(name.text, node.parent).filter((use) => use !== name);
  const { statements } = node.parent;
  const [use] = uses;
  if (uses.length !== 1 || !use || !isSpread(use.parent)) return undefined;
  return isRunBy(use, statements[statements.indexOf(node) + 1]) ? name : undefined;
}

function usesOf(name: string, within: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(within);
  return found;
}

/** Whether the statement itself contains the node, not a function in it. */
function isRunBy(node: ts.Node, statement: ts.Statement | undefined): boolean {
  if (node === statement) return true;
  return node.parent && !ts.isFunctionLike(node) ? isRunBy(node.parent, statement) : false;
}
