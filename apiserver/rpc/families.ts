import type { ChainType } from '../../core/api/chainSpecs.ts';
import { ethereumServices } from './ethereumServices.ts';
import { evmServices, type Services } from './services.ts';
import { solanaServices } from './solanaServices.ts';
import { thorchainServices } from './thorchainServices.ts';

/** The services that URLs of a network of `type` may name. */
export function servicesOf(type: ChainType): Services {
  if (type === 'Solana') return solanaServices;
  if (type === 'Thorchain') return thorchainServices;
  return type === 'Ethereum' ? ethereumServices : evmServices;
}
