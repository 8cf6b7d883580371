import type { NetworkCreate } from '../../../../sdk/src/generated/types.ts';
import { memberOf } from '../../lib/chains.ts';
import { isObject } from '../change/document.ts';
import { type NetworkForm, newKeyName } from './form.ts';

/** The request body in a JSON text; undefined for anything of another shape. The service judges the rest. */
export function bodyIn(json: string): NetworkCreate | undefined {
  const parsed = parseJson(json);
  if (!isObject(parsed) || !isObject(parsed.spec)) return undefined;
  const { name = '' } = parsed;
  const { chain } = parsed.spec;
  const isBody = typeof name === 'string' && isObject(chain) && typeof chain.type === 'string';
  return isBody ? (parsed as unknown as NetworkCreate) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The secret to create along with a network: that of the form, as long as the body refers to it, also where it is JSON. */
export function newKeyIn({ spec: { chain } }: NetworkCreate, form: NetworkForm): string | undefined {
  if (form.key.mode !== 'new') return undefined;
  const name = newKeyName(form.name.trim());
  const settings: unknown = Object.entries(chain).find(([member]) => member === memberOf(chain.type))?.[1];
  const isNamed =
    isObject(settings) && isObject(settings.privateKeyRef) && settings.privateKeyRef.name === name;
  return isNamed ? name : undefined;
}
