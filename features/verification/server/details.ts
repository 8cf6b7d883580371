import type { Charge } from '../../../apiserver/http/limits/price.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { packText, unpackText } from '../../../core/lib/text/packedText.ts';
import { maxContractData, type VerifiedContractSpec } from '../api/verifiedContract.ts';
import type { StandardJson } from './submission.ts';

/** What is too large for lists. */
interface ContractDetails {
  abi: Record<string, unknown>[];
  input: StandardJson;
}

type Packed = Pick<NonNullable<VerifiedContractSpec['verified']>, 'data' | 'abi'>;

/** Nested structs are repeated in an ABI, and compress a thousandfold: whoever reads many contracts would unpack gigabytes. */
const maxAbiLength = 1024 * 1024;
/** More than any submission has: the process with the compilers takes orders of 16 MiB at most, which quote it. */
const maxUnpackedBytes = 64 * 1024 * 1024;

/** Rejects with TooLarge for what does not fit into an object, or would be far larger when it is unpacked. */
export async function packDetails(details: ContractDetails): Promise<Required<Packed>> {
  const text = JSON.stringify(details.abi);
  if (text.length > maxAbiLength) {
    const message = `the ABI has ${text.length} characters; at most ${maxAbiLength} can be kept`;
    throw new AppError('TooLarge', message);
  }
  const [data, abi] = await Promise.all([packText(JSON.stringify(details)), packText(text)]);
  const length = lengthOf({ data, abi });
  if (length <= maxContractData) return { data, abi };
  const message = `the sources and the ABI take ${length} characters when compressed; at most ${maxContractData} can be kept: submit only the files that the contract needs`;
  throw new AppError('TooLarge', message);
}

/** How many characters an object has of it. */
export function lengthOf({ data, abi = '' }: Packed): number {
  return data.length + abi.length;
}

/** Unpacking and sending this many characters of a contract costs about as much as a request that needs none. */
const charactersPerRequest = 8192;

/** What it costs to unpack and send this, in requests that need none of it. */
export function priceOf(packed: string): number {
  return Math.ceil(packed.length / charactersPerRequest);
}

/** The ABI and the sources of a contract, charged before they are unpacked. */
export async function detailsOf({ data }: Packed, charge: Charge): Promise<ContractDetails> {
  charge(priceOf(data));
  return JSON.parse(await unpackText(data, maxUnpackedBytes));
}

/** The ABI of a contract as JSON, charged before it is unpacked. Without the sources, unless version 0.3.0 stored it. */
export async function abiOf({ data, abi }: Packed, charge: Charge): Promise<string> {
  if (abi === undefined) return JSON.stringify((await detailsOf({ data }, charge)).abi);
  charge(priceOf(abi));
  return unpackText(abi, maxUnpackedBytes);
}
