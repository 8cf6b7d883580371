import { stableJson } from '../../lib/hash.ts';
import { isPlainObject } from '../../lib/json/members.ts';
import type { ArgIssue, TokenDefinition } from '../../tokens/definition.ts';

type Members = Record<string, unknown>;
type Defaults = Pick<TokenDefinition, 'settingArgs'>;

/** The args of a deployment, with the defaults that the token's `spec` has for them. */
export function withSettings({ settingArgs = [] }: Defaults, args: Members, settings: unknown): Members {
  if (!isPlainObject(settings)) return args;
  const missing = settingArgs.filter((name) => args[name] === undefined && settings[name] !== undefined);
  return missing.length === 0
    ? args
    : { ...args, ...Object.fromEntries(missing.map((name) => [name, settings[name]])) };
}

/** The args that contradict the token's `spec`. */
export function settingIssues({ settingArgs = [] }: Defaults, args: unknown, settings: unknown): ArgIssue[] {
  if (!isPlainObject(args) || !isPlainObject(settings)) return [];
  const isBoth = (name: string) => args[name] !== undefined && settings[name] !== undefined;
  return settingArgs
    .filter((name) => isBoth(name) && !isSame(args[name], settings[name]))
    .map((member) => ({
      member,
      message: `differs from spec.${member}: send only one of them, or the same in both`,
    }));
}

/** Addresses may differ in the case of their digits. */
function isSame(one: unknown, other: unknown): boolean {
  return stableJson(one).toLowerCase() === stableJson(other).toLowerCase();
}
