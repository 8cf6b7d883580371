import { eachDeployment } from '../../api/rules/deploymentRules.ts';
import { supplyIssues, supplyOf } from '../../api/rules/supplyRules.ts';
import { wholeNumber } from '../../api/rules/wholeNumber.ts';
import type { ArgIssue } from '../definition.ts';

/** What fresh mode alone takes, and the specification forbids beside an existing token. */
const freshOnly = ['total_supply', 'initial_supply', 'liquidity'] as const;

/** The rules for the args of one CCT deployment; empty when all hold. */
export function cctIssues(args: Record<string, unknown>, mechanism: string | undefined): ArgIssue[] {
  const issues = mechanismIssues(args, mechanism);
  if (args.underlying_token_address !== undefined) {
    const wrong = freshOnly.filter((member) => args[member] !== undefined);
    const message = 'remove it: an existing token is wrapped';
    return [
      ...issues.filter(({ member }) => member !== 'liquidity'),
      ...wrong.map((member) => ({ member, message })),
    ];
  }
  if (args.total_supply === undefined) {
    issues.push({ member: 'total_supply', message: 'required unless underlying_token_address is given' });
  }
  return [...issues, ...supplyIssues(args), ...liquidityIssues(args)];
}

/** What the other mechanism takes. */
function mechanismIssues(args: Record<string, unknown>, mechanism: string | undefined): ArgIssue[] {
  const issues: ArgIssue[] = [];
  if (mechanism !== 'lock-release' && args.liquidity !== undefined) {
    issues.push({ member: 'liquidity', message: 'remove it: only lock-release takes it' });
  }
  if (mechanism !== 'burn-mint' && args.recipient !== undefined) {
    issues.push({ member: 'recipient', message: 'remove it: only burn-mint takes it' });
  }
  return issues;
}

/** The liquidity comes out of the total supply, as does what the recipient gets. */
function liquidityIssues(args: Record<string, unknown>): ArgIssue[] {
  const total = supplyOf(args.total_supply);
  const { liquidity } = args;
  const isWhole = typeof liquidity === 'number' && Number.isInteger(liquidity) && liquidity >= 0;
  if (total === undefined || !isWhole) return [];
  const initial = supplyOf(args.initial_supply) ?? 0n;
  if (wholeNumber(liquidity) + initial <= total) return [];
  return [{ member: 'liquidity', message: 'with initial_supply it must not be more than total_supply' }];
}

const isCct = "self.type == 'CCT'";
const isWrapping = 'has(d.args) && has(d.args.underlying_token_address)';

/** The same rules for the custom resource. */
export const cctRules = [
  // Beyond 2^53 every number is a whole one.
  eachDeployment(
    'true',
    '!has(d.args) || !has(d.args.liquidity) || d.args.liquidity > 9e15 || d.args.liquidity == double(int(d.args.liquidity))',
    'spec.deployments[].args.liquidity must be a whole number: smallest units of the token',
  ),
  eachDeployment(
    isCct,
    `(${isWrapping}) || (has(d.args) && has(d.args.total_supply))`,
    'spec.deployments[].args.total_supply is required unless underlying_token_address is given',
  ),
  ...freshOnly.map((member) =>
    eachDeployment(
      isCct,
      `!(${isWrapping}) || !has(d.args.${member})`,
      `spec.deployments[].args.${member} must be omitted when underlying_token_address is given`,
    ),
  ),
  eachDeployment(
    `${isCct} && has(self.mechanism) && self.mechanism != 'lock-release'`,
    '!has(d.args) || !has(d.args.liquidity)',
    'spec.deployments[].args.liquidity is only for spec.mechanism lock-release',
  ),
  eachDeployment(
    `${isCct} && has(self.mechanism) && self.mechanism != 'burn-mint'`,
    '!has(d.args) || !has(d.args.recipient)',
    'spec.deployments[].args.recipient is only for spec.mechanism burn-mint',
  ),
];
