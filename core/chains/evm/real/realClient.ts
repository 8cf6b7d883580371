import type { EngineName } from '../../../api/engines.ts';
import { type Layer2Spec, layer2Types } from '../../../api/resources/chainSpecs.ts';
import type { ChainSpec } from '../../../api/resources/network.ts';
import { lowerCase } from '../../../lib/typed.ts';
import type { EnginePlan, PlanInput, Preparation, Program, ReadinessCall } from '../../driver.ts';
import type { EvmChain } from '../chain.ts';

/** How a client of a public chain is run. */
export interface RealClientRow {
  engines: readonly EngineName[];
  plan(facts: EvmChain, input: PlanInput): EnginePlan;
  /** Why members of the spec cannot be used with this client, by the member's name. */
  refuse(spec: Layer2Spec, facts: EvmChain): Readonly<Record<string, string | undefined>>;
  caveats: readonly string[];
}

/** A client answers before it has made a block; clients that wait for a receipt would give up. */
export const firstBlockCall: ReadinessCall = {
  method: 'eth_blockNumber',
  params: [],
  isAnswer: (result) => typeof result === 'string' && BigInt(result) > 0n,
};

/** Fixes the genesis time, by which the first block of a chain differs from that of the chain before it. */
export function preparationOf(engines: readonly Pick<Program, 'engine' | 'command'>[]): Preparation {
  const programs = engines.map((program, index) => ({
    ...program,
    name: `image-${index + 1}`,
    args: ['--version'],
  }));
  return { programs, leadSeconds: 0 };
}

/** The refusal of a field that is set although the client cannot have it. */
export function unsupported(isSet: boolean, why: string): string | undefined {
  if (!isSet) return undefined;
  return `is not supported with the profile "real": ${why}. Use the profile "light", or omit it`;
}

/** The refusal of a gas limit below the client's least; `why` goes on from "is too small". */
export function belowLeast(gasLimit: number | undefined, least: number, why: string): string | undefined {
  if (gasLimit === undefined || gasLimit >= least) return undefined;
  return `is too small${why}: use at least ${least}`;
}

export function gasLimitOf(facts: EvmChain, { chain }: PlanInput): number {
  return specOf(chain).gasLimit ?? facts.gasLimit;
}

/** The spec of a Layer 2 network; empty for other types. */
export function specOf({ type, ...members }: ChainSpec): Layer2Spec {
  const known = layer2Types.find((one) => one === type);
  return (known && members[lowerCase(known)]) ?? {};
}
