import { chainTypeNames } from '../../core/api/resources/chainSpecs.ts';
import { presentText } from './section.ts';

const path = 'charts/slipway/values.schema.json';
const properties = /("forkSources": \{[^{}]*"properties": \{\n)([\s\S]*?)(\n {6}\})/;

/** The chart's values schema, with a fork source for each chain type. The rest of it is written by hand. */
export function valuesSchema() {
  const present = presentText(path);
  if (!properties.test(present)) throw new Error(`${path} has no properties of forkSources`);
  return { path, text: present.replace(properties, `$1${sources()}$3`) };
}

function sources(): string {
  const source = { type: 'string', pattern: '^https?://' };
  const all = Object.fromEntries(chainTypeNames.map((type) => [type, source]));
  const lines = JSON.stringify(all, null, 2).split('\n').slice(1, -1);
  return lines.map((line) => `      ${line}`).join('\n');
}
