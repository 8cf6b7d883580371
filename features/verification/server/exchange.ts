import type { ContractPlace } from '../../../apiserver/contracts.ts';
import type { OwnRequest } from '../../../apiserver/gateway/ownService.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { usedAddressSchema } from '../../../core/api/values.ts';
import type { ChainReader } from '../../../core/evm/chainReader.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Attempts } from './attempts.ts';
import type { ContractStore } from './contracts.ts';

/** A request to the verification service of a network, whose node answers. */
export interface VerifyRequest
  extends Pick<OwnRequest, 'method' | 'body' | 'requestId' | 'take' | 'keepBody'> {
  /** Below the service, with a leading slash and without a query. */
  path: string;
  query: URLSearchParams;
  network: Stored<NetworkResource>;
  enclaveID: string;
  chain: ChainReader;
  /** Counts the look-up of a whole contract, in requests that look up none. Throws TooManyRequests. */
  charge(requests: number): void;
}

export interface VerifyAnswer {
  status: number;
  body: object;
}

/** A protocol in which contracts are submitted. Rejects with AppErrors. */
export interface VerifyDeps {
  kube: ContractStore;
  attempts: Attempts;
  clock: Clock;
}

/** Throws BadRequest that names where the address comes from. */
export function checkIsAddress(name: string, address: string): void {
  const [issue] = usedAddressSchema.safeParse(address).error?.issues ?? [];
  if (issue) throw new AppError('BadRequest', `${name}: ${issue.message}`);
}

export function placeOf({ network, enclaveID }: VerifyRequest, address: string): ContractPlace {
  return { network, enclaveID, address };
}
