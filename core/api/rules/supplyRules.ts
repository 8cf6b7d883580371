import { supplySchema } from '../values.ts';
import type { ArgIssue } from './tokenArgs.ts';

/** The number that a supply means; undefined for one that is missing or malformed, which is told elsewhere. */
export function supplyOf(value: unknown): bigint | undefined {
  const parsed = supplySchema.safeParse(value);
  return parsed.success ? BigInt(parsed.data) : undefined;
}

/** What is minted at first is part of the whole. */
export function supplyIssues(args: Record<string, unknown>): ArgIssue[] {
  const [total, initial] = [supplyOf(args.total_supply), supplyOf(args.initial_supply)];
  if (total === undefined || initial === undefined || initial <= total) return [];
  return [{ member: 'initial_supply', message: 'must not be more than total_supply' }];
}

/** The cap of an ERC-20 token is its total supply, and a cap of 0 is refused by the contract. */
export function erc20Issues(args: Record<string, unknown>): ArgIssue[] {
  if (supplyOf(args.total_supply) === 0n) return [{ member: 'total_supply', message: 'must be more than 0' }];
  return supplyIssues(args);
}
