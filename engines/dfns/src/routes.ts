import { AppError } from '../../../core/lib/errors.ts';
import * as keyRequests from './keyRequests.ts';
import type { RecordKind } from './records.ts';
import type { Handler, Request } from './request.ts';
import * as wallets from './wallets.ts';

interface Route {
  method: string;
  /** Its segments; `:id` stands for any id. */
  path: readonly string[];
  handler: Handler;
  /** Changes nothing, so no signature is asked for. */
  isOpen: boolean;
}

const action =
  (name: 'init' | 'complete'): Handler =>
  ({ dfns, body }) =>
    dfns.userActions[name](body);

const routes: Route[] = [
  route('POST /auth/action/init', action('init'), true),
  route('POST /auth/action', action('complete'), true),
  route('GET /wallets', wallets.listWallets),
  route('POST /wallets', wallets.createWallet),
  route('GET /wallets/:id', wallets.getWallet),
  route('PUT /wallets/:id', wallets.updateWallet),
  route('PUT /wallets/:id/tags', wallets.tagWallet),
  route('DELETE /wallets/:id/tags', wallets.untagWallet),
  route('GET /wallets/:id/assets', wallets.getAssets),
  route('GET /wallets/:id/history', wallets.getHistory),
  route('POST /wallets/:id/transfers', wallets.transfer),
  route('POST /wallets/:id/transactions', wallets.transaction),
  route('POST /wallets/:id/signatures', keyRequests.signWithWallet),
  route('GET /keys', keyRequests.listKeys),
  route('POST /keys', keyRequests.createKey),
  route('GET /keys/:id', keyRequests.getKey),
  route('PUT /keys/:id', keyRequests.updateKey),
  route('POST /keys/:id/signatures', keyRequests.signWithKey),
  ...listed('wallets', ['transfer', 'transaction', 'signature']),
  ...listed('keys', ['signature']),
];

/** The first segments of all paths of Dfns's API. */
const known =
  /^\/(agreements|allocations|auth|exchanges|fee-sponsors|key-stores|keys|networks|payouts|permissions|signers|staking|swaps|v2|wallets|webhooks)(\/|$)/;

/** The route of a request and the ids in its path. Throws NotImplemented, or NotFound for what Dfns does not have either. */
export function findRoute(method: string, path: string): Route & { params: string[] } {
  const segments = path.split('/');
  const found = routes.find((one) => one.method === method && isOn(one.path, segments));
  if (found) return { ...found, params: segments.filter((_, at) => found.path[at]?.startsWith(':')) };
  if (!known.test(path)) throw new AppError('NotFound', `there is no ${method} ${path}`);
  const served = 'wallets, keys, signatures, transfers, transactions, assets and history';
  throw new AppError(
    'NotImplemented',
    `${method} ${path} is not part of this stand-in for Dfns, which serves ${served}`,
  );
}

function route(text: string, handler: Handler, isOpen = false): Route {
  const [method = '', path = ''] = text.split(' ');
  return { method, path: path.split('/'), handler, isOpen: isOpen || method === 'GET' };
}

const idPattern = /^[A-Za-z0-9-]{1,64}$/;

function isOn(path: readonly string[], segments: readonly string[]): boolean {
  const fits = (part: string, segment = '') =>
    part.startsWith(':') ? idPattern.test(segment) : part === segment;
  return path.length === segments.length && path.every((part, at) => fits(part, segments[at]));
}

/** The list of what was requested of a wallet or key, and each by its id. */
function listed(
  folder: 'wallets' | 'keys',
  kinds: Extract<RecordKind, 'transfer' | 'transaction' | 'signature'>[],
) {
  const ownerOf = (request: Request) =>
    (folder === 'wallets' ? wallets.getWallet : keyRequests.getKey)(request);
  return kinds.flatMap((kind) => [
    route(`GET /${folder}/:id/${kind}s`, async (request) => {
      const {
        params: [owner = ''],
        dfns,
        page,
      } = request;
      await ownerOf(request);
      const ofWallet = folder === 'wallets' ? { walletId: owner } : { keyId: owner };
      return { ...ofWallet, ...dfns.store.page(kind, { ...page, owner }) };
    }),
    route(`GET /${folder}/:id/${kind}s/:other`, async (request) => {
      const {
        params: [owner = '', id = ''],
        dfns,
      } = request;
      await ownerOf(request);
      const record = dfns.store.find(kind, id);
      const isOwn = record && ('walletId' in record || 'keyId' in record) && isOf(record, owner);
      if (record && isOwn) return record;
      throw new AppError('NotFound', `${kind} not found: check its id`);
    }),
  ]);
}

function isOf(record: { walletId?: string; keyId?: string }, owner: string): boolean {
  return record.walletId === owner || (record.walletId === undefined && record.keyId === owner);
}
