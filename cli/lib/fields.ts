import type { SlipwayError } from '../../sdk/src/error.ts';
import type { Options } from './options.ts';
import type { CommandSpec } from './spec.ts';

/** A command as it was given. */
export interface Given {
  spec: CommandSpec;
  options: Options;
}

/** Flags and arguments whose fields have other names in requests, in small letters. */
const flagOf: Readonly<Record<string, string>> = {
  args: 'arg',
  blockheight: 'fork',
  forking: 'fork',
  labels: 'label',
  mnemonicref: 'mnemonic',
  networkid: 'network',
  networkids: 'network',
  plugins: 'plugin',
  privatekeyref: 'key',
  profile: 'engine',
  to: 'address',
  useraddress: 'address',
};

const networkIds = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}: /g;

/** Flags with members of their own, which are named as well. */
const withMembers = ['arg', 'label', 'plugin'];

/**
 * What the service refused, by the flags and arguments that the user wrote: fields of a request are said as they are only to whoever
 * wrote the request.
 */
export function inWords({ message, details, status }: SlipwayError, { spec, options }: Given): string {
  if (spec.bodyOption !== undefined && options.text(spec.bodyOption) !== undefined) return message;
  const isRefusal = status === 400 || status === 422;
  // The one network is known to who named it.
  if (!isRefusal || details.length === 0) return message.replace(networkIds, '');
  const words = details.map(({ path }) => wordOf(path, spec));
  if (words.some((word) => word === undefined)) return message;
  return details.map((one, index) => `${words[index]}: ${textOf(one)}`).join('; ');
}

/** What a flag is refused for. The settings that there are depend on the type of a network. */
function textOf({ path, message }: SlipwayError['details'][number]): string {
  const isOfType = /^spec\.chain\.\w+\./.test(path) && message === 'unknown field';
  return isOfType ? 'not for this type of network' : message;
}

/** `--gas-limit` for `transactions_by_network.<id>[0].gas_limit`; undefined for a field that the command has no word for. */
function wordOf(path: string, spec: CommandSpec): string | undefined {
  const [first = '', ...others] = path.split(/[.[\]]+/).filter(Boolean);
  const words = wordsOf(spec);
  if (first !== 'transactions_by_network') return wordFor([first, ...others], words);
  const [, , ...inner] = others;
  return inner.length === 0 ? words.get('network') : (wordFor(inner, words) ?? inner.join('.'));
}

function wordFor(members: readonly string[], words: ReadonlyMap<string, string>): string | undefined {
  for (const [index, member] of [...members.entries()].reverse()) {
    const plain = plainOf(member);
    // Of anything else than the object itself, a name is that of what it refers to.
    if (plain === 'name' && members.length > 1) continue;
    const name = [flagOf[plain], plain].find((one) => one !== undefined && words.has(one));
    const inner = name !== undefined && withMembers.includes(name) ? members[index + 1] : undefined;
    if (name !== undefined) return [words.get(name), inner].filter(Boolean).join(' ');
  }
  return undefined;
}

/** The flags and arguments of a command as the user writes them, by their plain names. */
function wordsOf({ usage, options = [] }: CommandSpec): Map<string, string> {
  const args = usage.split(' ').slice(1);
  return new Map([
    ...args.map((arg): [string, string] => [plainOf(arg), `<${arg.replace(/[^a-z-]/g, '')}>`]),
    ...options.flatMap(({ flags }): [string, string][] => {
      const flag = /--[a-z-]+/.exec(flags)?.[0];
      return flag === undefined ? [] : [[plainOf(flag), flag]];
    }),
  ]);
}

const plainOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
