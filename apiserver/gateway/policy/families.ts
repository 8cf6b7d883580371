import { type ChainFamily, chainTypes } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkShape } from '../deps.ts';
import { ethereumServicesOf } from './ethereumServices.ts';
import { pluginServicesOf } from './pluginServices.ts';
import type { Services } from './policy.ts';
import { evmServices } from './services.ts';
import { solanaServices } from './solanaServices.ts';
import { thorchainServices } from './thorchainServices.ts';

const services: Record<ChainFamily, Services> = {
  evm: evmServices,
  solana: solanaServices,
  // A LayerZero network runs no node of its own: call its members instead.
  layerzero: new Map(),
  thorchain: thorchainServices,
};

/** The services that URLs of a network may name. A service that the network never has is refused immediately. */
export function servicesOf(network: NetworkShape): Services {
  const own = chainServicesOf(network);
  const { plugins = [] } = network;
  if (plugins.length === 0) return own;
  const added = pluginServicesOf(plugins);
  return { get: (name) => own.get(name) ?? added.get(name) };
}

function chainServicesOf({ type, participants = 0 }: NetworkShape): Services {
  const { family } = chainTypes[type];
  return family === 'evm' && participants > 0 ? ethereumServicesOf(participants) : services[family];
}
