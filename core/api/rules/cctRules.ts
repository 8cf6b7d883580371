import { supplyIssues, supplyOf } from './supplyRules.ts';
import type { ArgIssue, Mechanism } from './tokenArgs.ts';

const freshOnly = ['total_supply', 'initial_supply', 'liquidity', 'recipient'] as const;

/** The rules of the contract for the args of one CCT deployment; empty when all hold. */
export function cctIssues(mechanism: Mechanism, args: Record<string, unknown>): ArgIssue[] {
  if (args.underlying_token_address !== undefined) {
    return freshOnly
      .filter((member) => args[member] !== undefined)
      .map((member) => ({ member, message: 'remove it: an existing token is wrapped' }));
  }
  const issues: ArgIssue[] = [];
  if (args.total_supply === undefined) {
    issues.push({ member: 'total_supply', message: 'required unless underlying_token_address is given' });
  }
  if (mechanism !== 'lock-release' && args.liquidity !== undefined) {
    issues.push({ member: 'liquidity', message: 'remove it: only lock-release takes it' });
  }
  if (mechanism !== 'burn-mint' && args.recipient !== undefined) {
    issues.push({ member: 'recipient', message: 'remove it: only burn-mint takes it' });
  }
  return [...issues, ...supplyIssues(args), ...liquidityIssues(args)];
}

/** The liquidity comes out of the total supply, beside what the recipient gets. */
function liquidityIssues(args: Record<string, unknown>): ArgIssue[] {
  const total = supplyOf(args.total_supply);
  const { liquidity } = args;
  const isWhole = typeof liquidity === 'number' && Number.isInteger(liquidity) && liquidity >= 0;
  if (total === undefined || !isWhole) return [];
  const initial = supplyOf(args.initial_supply) ?? 0n;
  if (BigInt(liquidity) + initial <= total) return [];
  return [{ member: 'liquidity', message: 'with initial_supply it must not be more than total_supply' }];
}
