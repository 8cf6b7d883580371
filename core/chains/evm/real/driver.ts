import type { Engines } from '../../../api/installation.ts';
import type { ChainSpec } from '../../../api/resources/network.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { lowerCase } from '../../../lib/typed.ts';
import type { EvmDriver } from '../driver.ts';
import { noRealClient } from '../evmChains.ts';
import { specOf, unsupported } from './realClient.ts';
import { realClients } from './realClients.ts';

const noFork = 'the client has only what is in its own database and cannot read from another chain';

/** A Layer 2 driver that also runs the public chain's client: `base` is the profile "light". */
export function withRealClient(base: EvmDriver): EvmDriver {
  const { facts } = base;
  const row = facts.real && 'client' in facts.real ? realClients[facts.real.client] : undefined;
  return {
    ...base,
    refuse: (chain, engines) =>
      isReal(chain) ? refuse(facts, chain, engines) : (base.refuse?.(chain, engines) ?? []),
    plan: (input) => (row && isReal(input.chain) ? row.plan(facts, input) : base.plan(input)),
  };
}

function isReal(chain: ChainSpec): boolean {
  return specOf(chain).profile === 'real';
}

function refuse(facts: EvmDriver['facts'], chain: ChainSpec, engines: Engines): ErrorDetail[] {
  const path = `spec.chain.${lowerCase(facts.type)}`;
  const { real } = facts;
  if (!real || !('client' in real)) {
    return [{ path: `${path}.profile`, message: noRealClient(facts) ?? '' }];
  }
  const row = realClients[real.client];
  const missing = row.engines.filter((name) => !engines[name]);
  if (missing.length > 0) return [{ path: `${path}.profile`, message: withoutImage(missing) }];
  const spec = specOf(chain);
  const reasons = {
    forking: unsupported(spec.forking?.enabled === true, noFork),
    ...row.refuse(spec, facts),
  };
  return Object.entries(reasons).flatMap(([name, message]) =>
    message === undefined ? [] : [{ path: `${path}.${name}`, message }],
  );
}

function withoutImage(missing: readonly string[]): string {
  const names = missing.map((name) => `engines.${name}`).join(' and ');
  const build = `build it with "make engines ENGINES='${missing.join(' ')}'" and run "make up" again, or set ${names} in the chart`;
  return `"real" is not yet available on this installation, which has no image for ${names}: ${build}; until then, use the profile "light"`;
}
