import { describeNetwork } from '../../../core/api/views/networkView.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Handler, Handlers } from '../../http/pipeline/handler.ts';
import { accountsOf, type FundedAccountDeps } from './accounts.ts';

/** Who has funds on a network. Nothing here wakes it or counts as activity. */
export function createFundedAccountHandlers(deps: FundedAccountDeps) {
  return { listNetworkAccounts: list(deps), getNetworkAccountKey: getKey(deps) } satisfies Handlers;
}

function list(deps: FundedAccountDeps): Handler<'listNetworkAccounts'> {
  return async ({ principal, params, charge }) => {
    const network = await deps.kinds.networks.find(principal.namespace, params.id);
    // A mnemonic takes milliseconds.
    charge(1);
    const accounts = await accountsOf(deps, network, principal);
    const mayRead = principal.permissions.has('secrets:read');
    const items = accounts.map(({ readKey: _readKey, hasKey, ...account }) => ({
      ...account,
      hasKey: hasKey && mayRead,
    }));
    return { body: { kind: 'FundedAccountList', version: 'v1alpha', items } };
  };
}

function getKey(deps: FundedAccountDeps): Handler<'getNetworkAccountKey'> {
  return async ({ principal, params: { id, address }, charge }) => {
    const network = await deps.kinds.networks.find(principal.namespace, id);
    charge(1);
    const accounts = await accountsOf(deps, network, principal);
    const account = accounts.find((one) => one.address.toLowerCase() === address.toLowerCase());
    if (!account) throw new AppError('NotFound', 'the network funds no such account: list its accounts');
    if (!account.readKey) throw new AppError('Forbidden', refusalOf(account.secret));
    return {
      body: {
        kind: 'FundedAccountKey',
        version: 'v1alpha',
        address: account.address,
        privateKey: account.readKey(),
      },
      objects: [describeNetwork(network), `key of ${account.address}`],
    };
  };
}

function refusalOf(secret: string | undefined): string {
  return secret === undefined
    ? 'the key of this account is for your personal workspace'
    : `only the owner of the secret "${secret}" may read this key, with the permission secrets:write and in the form that it stores`;
}
