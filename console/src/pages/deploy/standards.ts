import type { Client } from '../../../../sdk/src/client.ts';
import type {
  DeployCctBurnMint,
  DeployCctLockRelease,
  DeployErc20,
  DeployErc3643,
  DeployOft,
  Token,
} from '../../../../sdk/src/generated/types.ts';

/** The body of each deploy endpoint, by its path. */
interface Bodies {
  erc20: DeployErc20;
  erc3643: DeployErc3643;
  'cct/burn-mint': DeployCctBurnMint;
  'cct/lock-release': DeployCctLockRelease;
  oft: DeployOft;
}
export type StandardPath = keyof Bodies;

type ArgsOf<Body extends { deployments: { args: object }[] }> = Body['deployments'][number]['args'];
/** The members of the args of a standard; further networks are chosen otherwise. */
type ArgName<Path extends StandardPath> = Exclude<keyof ArgsOf<Bodies[Path]>, 'networks'>;
export type AnyArg = { [Path in StandardPath]: ArgName<Path> }[StandardPath];

/** How an arg is typed. Amounts are typed in whole tokens; `number` is an amount that JSON has as a number. */
export type ArgLook = 'amount' | 'number' | 'address' | 'flag' | 'json';

export const argLooks: Readonly<Record<AnyArg, ArgLook>> = {
  total_supply: 'amount',
  initial_supply: 'amount',
  owner: 'address',
  compliance_registry: 'address',
  transfer_restrictions: 'flag',
  underlying_token_address: 'address',
  liquidity: 'number',
  recipient: 'address',
  layer_zero_endpoint: 'address',
  adapter_parameters: 'json',
};

interface Standard<Path extends StandardPath> {
  type: Token['type'];
  mechanism?: string;
  /** The call of the SDK. */
  call: string;
  /** Every arg with whether the form asks for it: one that is missing here does not compile. */
  args: Readonly<Record<ArgName<Path>, 'required' | 'optional' | 'unused'>>;
  deploy: (client: Client, body: Bodies[Path]) => Promise<Token>;
}

export const standards: { readonly [Path in StandardPath]: Standard<Path> } = {
  erc20: {
    type: 'ERC20',
    call: 'deployErc20',
    args: { total_supply: 'required', initial_supply: 'optional', owner: 'optional' },
    deploy: (client, body) => client.tokens.deployErc20(body),
  },
  erc3643: {
    type: 'ERC3643',
    call: 'deployErc3643',
    args: { total_supply: 'required', compliance_registry: 'required', transfer_restrictions: 'optional' },
    deploy: (client, body) => client.tokens.deployErc3643(body),
  },
  'cct/burn-mint': {
    type: 'CCT',
    mechanism: 'burn-mint',
    call: 'deployCctBurnMint',
    args: {
      total_supply: 'optional',
      initial_supply: 'optional',
      recipient: 'optional',
      underlying_token_address: 'optional',
      liquidity: 'unused',
    },
    deploy: (client, body) => client.tokens.deployCctBurnMint(body),
  },
  'cct/lock-release': {
    type: 'CCT',
    mechanism: 'lock-release',
    call: 'deployCctLockRelease',
    args: {
      total_supply: 'optional',
      initial_supply: 'optional',
      liquidity: 'optional',
      underlying_token_address: 'optional',
      recipient: 'unused',
    },
    deploy: (client, body) => client.tokens.deployCctLockRelease(body),
  },
  oft: {
    type: 'OFT',
    call: 'deployOft',
    args: { total_supply: 'required', layer_zero_endpoint: 'optional', adapter_parameters: 'optional' },
    deploy: (client, body) => client.tokens.deployOft(body),
  },
};

export const standardPaths = ['erc20', 'erc3643', 'cct/burn-mint', 'cct/lock-release', 'oft'] as const;

/** The args that the form asks for, those that are required first. */
export function askedArgs(path: StandardPath): { name: AnyArg; isOptional: boolean }[] {
  return Object.entries(standards[path].args).flatMap(([text, use]) => {
    const name = argNames.find((one) => one === text);
    return name && use !== 'unused' ? [{ name, isOptional: use === 'optional' }] : [];
  });
}

const argNames: readonly AnyArg[] = [
  ...(['total_supply', 'initial_supply', 'owner', 'recipient', 'liquidity'] as const),
  ...(['compliance_registry', 'transfer_restrictions', 'underlying_token_address'] as const),
  ...(['layer_zero_endpoint', 'adapter_parameters'] as const),
];

/** The endpoint that deploys tokens like this one. */
export function pathOf({ type, mechanism }: Pick<Token, 'type' | 'mechanism'>): StandardPath | undefined {
  return standardPaths.find(
    (path) => standards[path].type === type && standards[path].mechanism === mechanism,
  );
}
