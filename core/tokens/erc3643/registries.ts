import type { Known, Step } from '../../deploy/step.ts';
import { inspect } from '../../deploy/steps.ts';
import type { ChainReader } from '../../evm/chainReader.ts';
import { ask, codeAt } from '../../evm/contractCalls.ts';
import type { AppError } from '../../lib/errors.ts';
import type { DeploymentTarget, TokenNetwork } from '../standard.ts';
import { wrongArg } from '../wrongArg.ts';

/** Names of a token's own steps. */
export const suite = {
  look: 'compliance-registry',
  issuers: 'trusted-issuers-registry',
  topics: 'claim-topics-registry',
  storage: 'identity-storage',
  registry: 'identity-registry',
  compliance: 'compliance',
  token: 'token',
  identity: 'owner-identity',
  restricted: 'allow-owner',
} as const;

/** As compliance_registry: there is none yet, and the token gets its own. */
export const nobody = `0x${'0'.repeat(40)}`;

const givenOf = ({ args }: TokenNetwork) => args.compliance_registry ?? nobody;

/** What compliance_registry turned out to be: nothing, a ModularCompliance or an IdentityRegistry of T-REX. */
type RegistryKind = 'none' | 'compliance' | 'registry';

export const kindOf = ({ id }: TokenNetwork, known: Known) => known.get(id, `${suite.look}.kind`);

/** The registry from the args, otherwise the token's own. */
export function identityRegistryOf(network: TokenNetwork, known: Known): string {
  return kindOf(network, known) === 'registry' ? givenOf(network) : known.get(network.id, suite.registry);
}

/** The compliance contract from the args, otherwise the token's own. */
export function complianceOf(network: TokenNetwork, known: Known): string {
  return kindOf(network, known) === 'compliance' ? givenOf(network) : known.get(network.id, suite.compliance);
}

/** Finds out what compliance_registry is, and whether the deployer can use it. */
export function lookStep(target: DeploymentTarget): Step {
  return inspect(target.network, {
    name: suite.look,
    title: 'checks the compliance registry',
    async inspect(_known, chain) {
      const kind = await findKind(target, chain);
      if (kind === 'compliance') await demandOwner(target, chain);
      const isRegistered = kind === 'registry' && (await findRegistered(target, chain));
      return { kind, isRegistered: String(isRegistered) };
    },
  });
}

async function findKind({ network, contracts }: DeploymentTarget, chain: ChainReader): Promise<RegistryKind> {
  const to = givenOf(network);
  if (to.toLowerCase() === nobody) return 'none';
  if ((await codeAt(chain, to)) === '0x') {
    throw wrongArg('compliance_registry', `there is no contract at ${to}: ${remedy}`);
  }
  const compliance = contracts.erc3643('ComplianceImplementation').abi;
  const isCompliance = await answers(chain, to, [
    { abi: compliance, name: 'getTokenBound' },
    { abi: compliance, name: 'getModules' },
  ]);
  if (isCompliance) return 'compliance';
  const registry = contracts.erc3643('IdentityRegistryImplementation').abi;
  const isRegistry = await answers(chain, to, [
    { abi: registry, name: 'identityStorage' },
    { abi: registry, name: 'topicsRegistry' },
    { abi: registry, name: 'issuersRegistry' },
  ]);
  if (isRegistry) return 'registry';
  throw wrongArg(
    'compliance_registry',
    `${to} is neither a ModularCompliance nor an IdentityRegistry: ${remedy}`,
  );
}

const remedy = `name a ModularCompliance or an IdentityRegistry of T-REX on this network, or ${nobody} for a new suite`;

async function answers(
  chain: ChainReader,
  to: string,
  calls: Omit<Parameters<typeof ask>[1], 'to'>[],
): Promise<boolean> {
  const values = await Promise.all(calls.map((one) => ask(chain, { to, ...one })));
  return values.every((value) => value !== undefined);
}

/** Only the owner of a compliance contract can add modules to it. */
async function demandOwner(
  { plan, network, contracts }: DeploymentTarget,
  chain: ChainReader,
): Promise<void> {
  if (!network.args.transfer_restrictions) return;
  const { abi } = contracts.erc3643('ComplianceImplementation');
  const owner = await ask(chain, { to: givenOf(network), abi, name: 'owner' });
  if (owner?.toLowerCase() === plan.accounts.deployer.toLowerCase()) return;
  const message = `the compliance contract belongs to ${owner}, and only its owner can add restrictions: omit this arg`;
  throw wrongArg('transfer_restrictions', message);
}

/** Whether the deployer may already hold tokens; if not, it must be able to register itself. */
async function findRegistered(
  { plan, network, contracts }: DeploymentTarget,
  chain: ChainReader,
): Promise<boolean> {
  const { abi } = contracts.erc3643('IdentityRegistryImplementation');
  const { deployer } = plan.accounts;
  const asked = (name: string) => ask(chain, { to: givenOf(network), abi, name, args: [deployer] });
  if ((await asked('isVerified')) === 'true') return true;
  if ((await asked('isAgent')) === 'true') return false;
  const message = `${deployer} is not registered there and is not an agent that could register itself: register it or make it an agent, then deploy again`;
  throw wrongArg('compliance_registry', message);
}

/** A compliance contract serves one token. */
export async function explainBound(
  { network, contracts }: DeploymentTarget,
  known: Known,
  chain: ChainReader,
): Promise<AppError | undefined> {
  if (kindOf(network, known) !== 'compliance') return undefined;
  const { abi } = contracts.erc3643('ComplianceImplementation');
  const bound = await ask(chain, { to: givenOf(network), abi, name: 'getTokenBound' });
  if (bound === undefined || bound === nobody) return undefined;
  return wrongArg('compliance_registry', `${givenOf(network)} is already bound to another token (${bound})`);
}
