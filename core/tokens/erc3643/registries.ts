import type { TokenContracts } from '../../deploy/artifacts.ts';
import type { Known, Step } from '../../deploy/step.ts';
import { inspect } from '../../deploy/steps.ts';
import type { ChainReader } from '../../evm/chainReader.ts';
import { ask, codeAt } from '../../evm/contractCalls.ts';
import type { AppError } from '../../lib/errors.ts';
import type { TokenNetwork, TokenPlan } from '../standard.ts';
import { wrongArg } from '../wrongArg.ts';

/** One network of a plan, and what is deployed there. */
export interface Place {
  plan: TokenPlan;
  network: TokenNetwork;
  contracts: TokenContracts;
}

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

/** As compliance_registry: no registry is there yet, the token gets its own. */
export const nobody = `0x${'0'.repeat(40)}`;

const givenOf = ({ args }: TokenNetwork) => args.compliance_registry ?? nobody;

/** What compliance_registry was found to be: nothing, T-REX's ModularCompliance, or its IdentityRegistry. */
type RegistryKind = 'none' | 'compliance' | 'registry';

export const kindOf = ({ id }: TokenNetwork, known: Known) => known.get(id, `${suite.look}.kind`);

/** The registry that was named, else the token's own. */
export function identityRegistryOf(network: TokenNetwork, known: Known): string {
  return kindOf(network, known) === 'registry' ? givenOf(network) : known.get(network.id, suite.registry);
}

/** The compliance contract that was named, else the token's own. */
export function complianceOf(network: TokenNetwork, known: Known): string {
  return kindOf(network, known) === 'compliance' ? givenOf(network) : known.get(network.id, suite.compliance);
}

/** Finds out what compliance_registry is, and whether the deployer can use it. */
export function lookStep(place: Place): Step {
  return inspect(place.network, {
    name: suite.look,
    title: 'looks at the compliance registry',
    async inspect(_known, chain) {
      const kind = await findKind(place, chain);
      if (kind === 'compliance') await demandOwner(place, chain);
      const isRegistered = kind === 'registry' && (await findRegistered(place, chain));
      return { kind, isRegistered: String(isRegistered) };
    },
  });
}

async function findKind({ network, contracts }: Place, chain: ChainReader): Promise<RegistryKind> {
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
  throw wrongArg('compliance_registry', `${to} is neither of the two: ${remedy}`);
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

/** Modules are added by the owner of the compliance contract alone. */
async function demandOwner({ plan, network, contracts }: Place, chain: ChainReader): Promise<void> {
  if (!network.args.transfer_restrictions) return;
  const { abi } = contracts.erc3643('ComplianceImplementation');
  const owner = await ask(chain, { to: givenOf(network), abi, name: 'owner' });
  if (owner?.toLowerCase() === plan.accounts.deployer.toLowerCase()) return;
  const message = `the compliance contract belongs to ${owner}: only its owner can add restrictions. Leave this out`;
  throw wrongArg('transfer_restrictions', message);
}

/** Whether the deployer may hold tokens already; if not, it must be able to register itself. */
async function findRegistered({ plan, network, contracts }: Place, chain: ChainReader): Promise<boolean> {
  const { abi } = contracts.erc3643('IdentityRegistryImplementation');
  const { deployer } = plan.accounts;
  const asked = (name: string) => ask(chain, { to: givenOf(network), abi, name, args: [deployer] });
  if ((await asked('isVerified')) === 'true') return true;
  if ((await asked('isAgent')) === 'true') return false;
  const message = `${deployer} is not registered there, and no agent that could register itself: do one of both, then deploy again`;
  throw wrongArg('compliance_registry', message);
}

/** A compliance contract serves one token. */
export async function explainBound(
  { network, contracts }: Place,
  known: Known,
  chain: ChainReader,
): Promise<AppError | undefined> {
  if (kindOf(network, known) !== 'compliance') return undefined;
  const { abi } = contracts.erc3643('ComplianceImplementation');
  const bound = await ask(chain, { to: givenOf(network), abi, name: 'getTokenBound' });
  if (bound === undefined || bound === nobody) return undefined;
  return wrongArg('compliance_registry', `${givenOf(network)} is bound to another token already (${bound})`);
}
