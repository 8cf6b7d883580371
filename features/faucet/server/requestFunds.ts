import type { RateLimit } from '../../../apiserver/http/limits/rateLimit.ts';
import type { Call, Handler } from '../../../apiserver/http/pipeline/handler.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import type { Find } from '../../../apiserver/store/find.ts';
import { forCaller, type Store } from '../../../apiserver/store/kubeErrors.ts';
import type { FindAccount } from '../../../apiserver/transactions/defaultKey.ts';
import type { NodeOf } from '../../../apiserver/transactions/nodes.ts';
import type { SubmitFor } from '../../../apiserver/transactions/submitter.ts';
import { idOf } from '../../../core/api/ids.ts';
import type { Installation } from '../../../core/api/installation.ts';
import { isEvmChain } from '../../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { TokenResource } from '../../../core/api/resources/tokenResource.ts';
import { decimalsOf, deploymentsOf } from '../../../core/api/views/deployments.ts';
import { describeNetwork } from '../../../core/api/views/networkView.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { checkDigest, findSubmitted } from '../../../core/outbox/findSubmitted.ts';
import type { FaucetRequest } from '../api/schemas.ts';
import { decimalsAt, type Gift, paymentOf } from './payment.ts';

export interface FaucetDeps {
  kube: Pick<Store, 'get' | 'list'>;
  findNetwork: Find<NetworkResource>;
  findToken: Find<TokenResource>;
  networks: Pick<ObjectCache<NetworkResource>, 'byName'>;
  findAccount: FindAccount;
  nodeOf: NodeOf;
  submitFor: SubmitFor;
  limits: Installation['faucet'];
  /** Requests of a user. */
  rate: RateLimit;
}

const nativeDecimals = 18;

/**
 * Pays from the caller's own account, through its sender queue: the funds are what the genesis gave to the default keys
 * of the workspace's members. Nothing is paid twice for one Idempotency-Key.
 */
export function requestFunds(deps: FaucetDeps): Handler<'requestFunds'> {
  return async (call) => {
    const { principal, params, body, idempotencyMark: idempotencyKey, requestId } = call;
    const network = await deps.findNetwork(principal.namespace, params.id);
    const digest = hashOf([params.id, body]);
    const earlier = await earlierOf(deps, call, digest);
    if (earlier) return { body: { txHashes: earlier }, objects: [describeNetwork(network)] };
    checkFaucet(deps, network);
    const token = body.token === undefined ? undefined : await tokenOn(deps, network, body.token);
    const decimals = token ? await decimalsOn(deps, network, token) : nativeDecimals;
    const amount = amountOf(body, decimals, deps.limits);
    deps.rate.take(principal.userId);
    const { rpc } = await deps.nodeOf(network);
    const { address: from } = await deps.findAccount(principal.userId);
    const gift: Gift = { from, to: body.address, amount, ...(token ? { token } : {}) };
    const items = [await paymentOf(rpc, gift)];
    const { hashes, taken } = await deps
      .submitFor({ userId: principal.userId, network, idempotencyKey, digest, requestId, items })
      .catch((error: unknown) => {
        throw isAppError(error, 'BadRequest') ? notPayable(from, error) : error;
      });
    await taken;
    return { body: { txHashes: hashes }, objects: [describeNetwork(network)] };
  };
}

/** What an interrupted attempt at the same request has sent. */
async function earlierOf(
  { kube }: FaucetDeps,
  { principal: { namespace }, params, idempotencyMark, isRepeated }: Call<'requestFunds'>,
  digest: string,
): Promise<string[] | undefined> {
  if (!idempotencyMark || !isRepeated) return undefined;
  const known = await forCaller(findSubmitted(kube, { namespace, id: params.id }, idempotencyMark));
  if (known) checkDigest(known, digest);
  return known?.hashes;
}

function checkFaucet({ limits }: FaucetDeps, { spec: { chain }, status }: Stored<NetworkResource>): void {
  if (limits.maxAmount === 0) {
    throw new AppError('Forbidden', 'this installation has no faucet (faucet.maxAmount is 0)');
  }
  if (isEvmChain(chain.type)) {
    // It would not become ready while the caller waits.
    if (status?.state !== 'Error') return;
    throw new AppError(
      'Conflict',
      `the network is in state Error: ${status.message ?? 'no reason is known'}`,
    );
  }
  const remedy =
    chain.type === 'Solana'
      ? 'call requestAirdrop at its rpc URL'
      : 'send a transaction from an account that its genesis funds';
  throw new AppError(
    'BadRequest',
    `the faucet is for EVM networks, and this one is of type ${chain.type}: ${remedy}`,
  );
}

/** The contract of a token of the workspace on a network. */
async function tokenOn(deps: FaucetDeps, network: Stored<NetworkResource>, id: string) {
  const refuse = (message: string) =>
    new AppError('BadRequest', `token: ${message}`, { details: [{ path: 'token', message }] });
  const token = await deps.findToken(network.metadata.namespace, id).catch((error: unknown) => {
    throw isAppError(error, 'NotFound')
      ? refuse('no token has this id: use the id of a token in this workspace')
      : error;
  });
  const deployment = deploymentsOf(token, deps.networks).find((one) => one.network_id === idOf(network));
  if (!deployment) throw refuse('the token is not deployed on this network: add a deployment first');
  const { token_address: address, message = 'its deployment has no address yet' } = deployment;
  if (address === '') throw new AppError('Conflict', `the token cannot be given: ${message}`);
  const { extra_addresses: extraAddresses = {}, args } = deployment;
  const isUnknown = args?.underlying_token_address !== undefined && extraAddresses.decimals === undefined;
  const decimals = isUnknown ? undefined : decimalsOf(token, { extraAddresses });
  return { address, symbol: token.spec.symbol, decimals };
}

/** A token that was wrapped by an earlier version has told its decimals to nobody. */
async function decimalsOn(
  deps: FaucetDeps,
  network: Stored<NetworkResource>,
  { address, decimals }: { address: string; decimals: number | undefined },
): Promise<number> {
  return decimals ?? decimalsAt((await deps.nodeOf(network)).rpc, address);
}

/** In the smallest unit; one whole coin or token when the request names no amount. */
function amountOf(
  { amount }: FaucetRequest,
  decimals: number,
  { maxAmount }: Installation['faucet'],
): bigint {
  const whole = 10n ** BigInt(decimals);
  const wanted = amount === undefined ? whole : BigInt(amount);
  const most = BigInt(maxAmount) * whole;
  if (wanted > 0n && wanted <= most) return wanted;
  const message = `must be from 1 to ${most}: the faucet gives ${maxAmount} whole units at a time at most (faucet.maxAmount)`;
  throw new AppError('BadRequest', `amount: ${message}`, { details: [{ path: 'amount', message }] });
}

/** The details of a refused transaction name fields that the caller has not sent. */
function notPayable(from: string, error: AppError): AppError {
  const reasons = error.details.map(({ message }) => message).join('; ') || error.message;
  const remedy =
    'the faucet pays from your account: fund it, for example with anvil_setBalance at the admin URL';
  return new AppError('Conflict', `your account ${from} cannot pay: ${reasons}; ${remedy}`, { cause: error });
}
