import type { NetworkShape } from '../deps.ts';
import { ethereumServicesOf } from './ethereumServices.ts';
import { evmServices, type Services } from './services.ts';
import { solanaServices } from './solanaServices.ts';
import { thorchainServices } from './thorchainServices.ts';

/** A LayerZero network runs no node of its own: call its members instead. */
const none: Services = new Map();

/** The services that URLs of a network may name. A service that the network never has is refused immediately. */
export function servicesOf({ type, participants = 0 }: NetworkShape): Services {
  if (type === 'LayerZero') return none;
  if (type === 'Solana') return solanaServices;
  if (type === 'Thorchain') return thorchainServices;
  return participants > 0 ? ethereumServicesOf(participants) : evmServices;
}
