import { examples } from '../../../core/api/openapi/examples.ts';
import { groupDescriptions, isFollowed, methodsByGroup } from '../../../core/api/openapi/methodNames.ts';
import { type OperationId, operationOf } from '../../../core/api/operations/operations.ts';
import { presentText, withSection } from '../section.ts';
import { signatureOf } from './signatures.ts';
import { literal } from './typeText.ts';

/** The document whose list of methods is generated; the rest of it is written by hand. */
const sdkDocument = 'docs/sdk.md';

/** docs/sdk.md with an example of each operation. */
export function sdkPage(): { path: string; text: string } {
  return {
    path: sdkDocument,
    text: withSection(presentText(sdkDocument), 'methods of the SDK', methodsText()),
  };
}

function methodsText(): string {
  const groups = [...methodsByGroup()].map(([group, methods]) => {
    const parts = methods.map(({ id, method }) => methodText(id, `${group}.${method}`));
    return [`### ${group}\n\n${groupDescriptions[group]}\n`, ...parts].join('\n');
  });
  return `${groups.join('\n')}\n`;
}

function methodText(id: OperationId, name: string): string {
  const { summary } = operationOf(id);
  const lines = [exampleOf(id, name), ...walkOf(id, name)];
  return `\`${name}\`: ${summary}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;
}

/** A call as one would write it: ids are variables, the body is the example of the contract. */
function exampleOf(id: OperationId, name: string): string {
  const { params, body, answer, item } = signatureOf(id);
  const request = body ? [valueText(examples[id]?.request ?? {})] : [];
  const made = `client.${name}(${[...placeOf(id, params), ...request].join(', ')})`;
  const result = resultName(answer.text);
  if (isFollowed(id)) return `for await (const ${result} of ${made}) console.log(${result});`;
  const call = `await ${made};`;
  if (answer.text === 'void') return call;
  return item ? `const { items, metadata } = ${call}` : `const ${result} = ${call}`;
}

/** `network` for a Network. */
function resultName(type: string): string {
  const isNamed = /^[A-Z]\w*$/.test(type) && !type.endsWith('Answer');
  return isNamed ? type.charAt(0).toLowerCase() + type.slice(1) : 'answer';
}

function walkOf(id: OperationId, name: string): string[] {
  const { params, item } = signatureOf(id);
  if (!item) return [];
  const all = name.replace(/\.list/, '.listAll');
  return [`for await (const one of client.${all}(${placeOf(id, params).join(', ')})) console.log(one);`];
}

function placeOf(id: OperationId, params: string[]): string[] {
  const names = params.map((name) => variableOf(id, name));
  if (names.length < 2) return names;
  const members = params.map((name, index) => (name === names[index] ? name : `${name}: ${names[index]}`));
  return [`{ ${members.join(', ')} }`];
}

/** `id` is the id of what stands before it in the path: /networks/{id} has a networkId. */
function variableOf(id: OperationId, param: string): string {
  if (param !== 'id') return param.replaceAll(/_(\w)/g, (_text, letter: string) => letter.toUpperCase());
  const [, noun = ''] = /(\w+?)s?\/\{id\}/.exec(operationOf(id).path) ?? [];
  return `${noun}Id`;
}

const lineWidth = 90;

/** A value as TypeScript, on one line if it fits. */
function valueText(value: unknown, indent = ''): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) => {
    const text = valueText(member, inner);
    return isList ? text : `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${text}`;
  });
  const [open, close, blank] = isList ? ['[', ']', ''] : ['{', '}', ' '];
  if (members.length === 0) return `${open}${close}`;
  const line = `${open}${blank}${members.join(', ')}${blank}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= lineWidth) return line;
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`;
}
