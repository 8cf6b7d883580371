import type { ArgIssue } from '../../tokens/definition.ts';
import { supplySchema } from '../values.ts';

/** Args that several standards take. */
export const totalSupply = supplySchema.describe('Total supply, in smallest units.');
export const initialSupply = supplySchema.describe('Amount minted at deployment, in smallest units.');

/** The number that a supply stands for; undefined for one that is missing or malformed: its schema reports that. */
export function supplyOf(value: unknown): bigint | undefined {
  const parsed = supplySchema.safeParse(value);
  return parsed.success ? BigInt(parsed.data) : undefined;
}

/** The initial supply is a part of the total supply. */
export function supplyIssues(args: Record<string, unknown>): ArgIssue[] {
  const [total, initial] = [supplyOf(args.total_supply), supplyOf(args.initial_supply)];
  if (total === undefined || initial === undefined || initial <= total) return [];
  return [{ member: 'initial_supply', message: 'must not be more than total_supply' }];
}
