import type { EngineName } from '../../../api/engines.ts';
import type { ChainSpec } from '../../../api/resources/network.ts';
import type { EngineNeed } from '../../../engines/needs.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { lowerCase } from '../../../lib/typed.ts';
import type { EvmDriver } from '../driver.ts';
import { noRealClient } from '../evmChains.ts';
import { specOf, unsupported } from './realClient.ts';
import { realClients } from './realClients.ts';

const noHistory = 'the client keeps in its own database what it needs';
const noFork = 'the client has only what is in its own database and cannot read from another chain';

/** A Layer 2 driver that also runs the public chain's client: `base` is the profile "light". */
export function withRealClient(base: EvmDriver): EvmDriver {
  const { facts } = base;
  const row = facts.real && 'client' in facts.real ? realClients[facts.real.client] : undefined;
  return {
    ...base,
    engines: (chain) => (isReal(chain) ? needsOf(facts, row?.engines ?? []) : base.engines(chain)),
    refuse: (chain, set) => (isReal(chain) ? refuse(facts, chain) : (base.refuse?.(chain, set) ?? [])),
    plan: (input) => (row && isReal(input.chain) ? row.plan(facts, input) : base.plan(input)),
  };
}

function isReal(chain: ChainSpec): boolean {
  return specOf(chain).profile === 'real';
}

function needsOf(facts: EvmDriver['facts'], engines: readonly EngineName[]): EngineNeed[] {
  const path = `spec.chain.${lowerCase(facts.type)}.profile`;
  return engines.map((engine) => ({ engine, path, instead: 'use the profile "light"' }));
}

function refuse(facts: EvmDriver['facts'], chain: ChainSpec): ErrorDetail[] {
  const path = `spec.chain.${lowerCase(facts.type)}`;
  const { real } = facts;
  if (!real || !('client' in real)) {
    return [{ path: `${path}.profile`, message: noRealClient(facts) ?? '' }];
  }
  const row = realClients[real.client];
  const spec = specOf(chain);
  const reasons = {
    forking: unsupported(spec.forking?.enabled === true, noFork),
    history: unsupported(spec.history !== undefined, noHistory),
    ...row.refuse(spec, facts),
  };
  return Object.entries(reasons).flatMap(([name, message]) =>
    message === undefined ? [] : [{ path: `${path}.${name}`, message }],
  );
}
