import type { Network } from '../../../../sdk/src/generated/types.ts';
import { labelsOf } from '../../forms/labels.ts';
import { digitsOf, toSmallestUnits } from '../../lib/units.ts';
import { type NetworkChoice, noChoice } from '../../parts/choice.ts';
import { type AnyArg, argLooks, askedArgs, type StandardPath } from './standards.ts';

/** Args as they were typed. */
export type ArgTexts = Readonly<Partial<Record<AnyArg, string>>>;

/** What the form has, as it was typed. */
export interface TokenForm {
  path: StandardPath;
  name: string;
  symbol: string;
  decimals: string;
  labels: string;
  choice: NetworkChoice;
  args: ArgTexts;
}

const zeroAddress = `0x${'0'.repeat(40)}`;

export const emptyForm: TokenForm = {
  path: 'erc20',
  name: '',
  symbol: '',
  decimals: '18',
  labels: '',
  choice: noChoice,
  args: { total_supply: '1000000', compliance_registry: zeroAddress },
};

/** The fields that have to be filled in, and are not. */
export function missingOf({ path, name, symbol, args }: TokenForm): string[] {
  const required = askedArgs(path).filter(({ isOptional }) => !isOptional);
  const texts = {
    name,
    symbol,
    ...Object.fromEntries(required.map((arg) => [arg.name, args[arg.name] ?? ''])),
  };
  return Object.keys(texts).filter((field) => texts[field as keyof typeof texts].trim() === '');
}

type Args = Record<string, unknown>;

/** The request body of a form on these networks. What is empty is left out. */
export function toBody(form: TokenForm, networks: readonly Network[], all: Iterable<Network>) {
  const labels = labelsOf(form.labels);
  const decimals = decimalsOf(form.decimals);
  const endpoints = [...all];
  return {
    name: form.name.trim(),
    symbol: form.symbol.trim(),
    decimals,
    deployments: networks.map((network) => ({
      network_id: network.id,
      args: toArgs(form, decimals, endpointOn(network, endpoints)),
    })),
    ...(labels ? { metadata: { labels } } : {}),
  };
}

/** Anything but a number is sent as it is: the service says what is wrong with it. */
export function decimalsOf(text: string): number {
  const parsed = Number(text.trim() || '18');
  return Number.isNaN(parsed) ? -1 : parsed;
}

/** The args of one deployment. `endpoint` is that of LayerZero on its network. */
export function toArgs(
  { path, args }: Pick<TokenForm, 'path' | 'args'>,
  decimals: number,
  endpoint?: string,
): Args {
  const given = askedArgs(path).flatMap(({ name }) => {
    const text = (args[name] ?? '').trim() || (name === 'layer_zero_endpoint' ? (endpoint ?? '') : '');
    return text === '' ? [] : [[name, argOf(name, text, decimals)] as const];
  });
  return Object.fromEntries(given);
}

/** The value of an arg. What cannot be converted is sent as it is, and refused at its place. */
function argOf(name: AnyArg, text: string, decimals: number): unknown {
  const look = argLooks[name];
  if (look === 'amount') return toSmallestUnits(text, decimals) ?? text;
  if (look === 'number') return numberOf(toSmallestUnits(text, decimals) ?? text);
  if (look === 'flag') return text === 'true';
  return look === 'json' ? (objectOf(text) ?? text) : text;
}

/** Like the service, it never rounds: what no number of JSON is exactly stays a text, which is refused at its place. */
function numberOf(units: string): number | string {
  const parsed = Number(units);
  return digitsOf(parsed) === units ? parsed : units;
}

/** The JSON object in a text; undefined for anything else. */
export function objectOf(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The endpoint that a LayerZero network of the workspace has on a network. */
export function endpointOn({ id }: Network, networks: Iterable<Network>): string | undefined {
  for (const { status } of networks) {
    const member = status?.layerzero?.members.find((one) => one.networkID === id);
    if (member?.endpoint) return member.endpoint;
  }
  return undefined;
}
