import { type ChainFamily, chainTypes } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkShape } from '../deps.ts';
import { ethereumServicesOf } from './ethereumServices.ts';
import { pluginServicesOf } from './pluginServices.ts';
import type { Services } from './policy.ts';
import { evmClientServices, evmServices } from './services.ts';
import { type SolanaRules, solanaServicesOf } from './solanaServices.ts';
import { thorchainServices } from './thorchainServices.ts';

/** The services that URLs of a network may name. A service that the network never has is refused immediately. */
export type ServicesOf = (network: NetworkShape) => Services;

/** The services of all chain families, under the rules of the installation. */
export function createServicesOf(solana: SolanaRules): ServicesOf {
  const services: Record<ChainFamily, Services> = {
    evm: evmServices,
    solana: solanaServicesOf(solana),
    // A LayerZero network runs no node of its own: call its members instead.
    layerzero: new Map(),
    thorchain: thorchainServices,
  };
  return (network) => {
    const own = chainServicesOf(services, network);
    const { plugins = [] } = network;
    if (plugins.length === 0) return own;
    const added = pluginServicesOf(plugins);
    return { get: (name) => own.get(name) ?? added.get(name) };
  };
}

/** Under the rules of an installation that sets none. */
export const servicesOf = createServicesOf({ airdrops: 'public' });

function chainServicesOf(
  services: Record<ChainFamily, Services>,
  { type, participants = 0, profile }: NetworkShape,
): Services {
  const { family } = chainTypes[type];
  if (family !== 'evm') return services[family];
  if (profile === 'real') return evmClientServices;
  return participants > 0 ? ethereumServicesOf(participants) : services.evm;
}
