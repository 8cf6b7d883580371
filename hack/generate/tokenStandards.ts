import { documentedPath } from '../../core/api/operations/operation.ts';
import { operationOf } from '../../core/api/operations/operations.ts';
import {
  definitionOf,
  deployEndpoints,
  requiredArgs,
  type TokenType,
  tokenTypes,
} from '../../core/api/rules/tokenArgs.ts';
import { presentText, withSection } from './section.ts';

/** The document whose table of standards is generated; the rest of it is written by hand. */
export const tokensDocument = 'docs/tokens.md';

/** docs/tokens.md with its table generated from the definitions. Throws Error when it lacks the marks of the table. */
export function tokensDocumentText(): string {
  return withSection(presentText(tokensDocument), 'token standards', table());
}

function table(): string {
  return [
    '| standard | what it is | deployed by POST to | args (required in bold) | decimals |',
    '|---|---|---|---|---|',
    ...tokenTypes.map(row),
    '',
  ].join('\n');
}

function row(type: TokenType): string {
  const { description, args, decimals } = definitionOf(type);
  const required = requiredArgs(type);
  const paths = deployEndpoints
    .filter((one) => one.type === type)
    .map(({ operationId }) => `\`${documentedPath(operationOf(operationId))}\``);
  const names = Object.keys(args).map((name) => (required.includes(name) ? `**${name}**` : name));
  const cells = [
    type,
    description,
    paths.join('<br>'),
    names.join(', '),
    `${decimals.min} to ${decimals.max}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
