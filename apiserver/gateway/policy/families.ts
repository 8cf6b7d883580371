import type { NetworkShape } from '../deps.ts';
import { ethereumServicesOf } from './ethereumServices.ts';
import type { Services } from './policy.ts';
import { evmServices } from './services.ts';
import { solanaServices } from './solanaServices.ts';
import { thorchainServices } from './thorchainServices.ts';

/** A LayerZero network runs no node: what can be called are its members. */
const none: Services = new Map();

/** The services that URLs of a network may name; what a network will never have is answered at once. */
export function servicesOf({ type, participants = 0 }: NetworkShape): Services {
  if (type === 'LayerZero') return none;
  if (type === 'Solana') return solanaServices;
  if (type === 'Thorchain') return thorchainServices;
  return participants > 0 ? ethereumServicesOf(participants) : evmServices;
}
