import type { AnswerOwn } from '../../../apiserver/gateway/ownService.ts';
import type { BudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import { createConcurrencyLimit } from '../../../apiserver/http/limits/concurrencyLimit.ts';
import { byUid } from '../../../apiserver/store/cache.ts';
import type { Shares } from '../../../core/accounts/shares/shares.ts';
import { findById } from '../../../core/api/ids.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { createEvmRpc, createRpcAgent } from '../../../core/evm/rpc.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import { maxConnections } from '../../../core/kube/client/connection.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { authorityOf } from '../../../core/lib/authority.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import { redact } from '../../../core/lib/redact.ts';
import { incarnationOf } from '../../../core/networks/incarnation.ts';
import type { CompilerSettings } from '../api/settings.ts';
import { createAttempts } from './attempts.ts';
import { createCompile } from './compile.ts';
import type { ContractStore } from './contracts.ts';
import { answerEtherscan, etherscanError } from './etherscan.ts';
import { createLookups } from './lookups.ts';
import { answerSourcify, sourcifyError } from './sourcify.ts';

export interface VerificationOptions {
  kube: ContractStore;
  caches: { networks: Pick<Reflector<NetworkResource>, 'byIndex'> };
  compilers: CompilerSettings;
  budgets: Pick<BudgetMetrics, 'refused'>;
  /** Whose share a workspace takes. */
  shares: Pick<Shares, 'of'>;
  clock: Clock;
  log: Log;
}

/** Requests that are answered at a time; each asks kube-apiserver or the node. Those to networks of one account leave it to others. */
const atOnce = { network: 8, account: maxConnections / 8 };

/** Answers the requests of Foundry, Hardhat and their like to the service `verify` of a network. */
export interface Verification {
  answer: AnswerOwn;
  close(): Promise<void>;
}

export function createVerification(options: VerificationOptions): Verification {
  const { compilers, kube, clock, caches } = options;
  const shareOf = options.shares.of;
  const findNetwork = (uid: string) => caches.networks.byIndex(byUid, uid)[0];
  const compiler = createCompile(compilers.url);
  const agent = createRpcAgent();
  const { networks, accounts } = createRequestLimits(options);
  const lookups = createLookups(clock, options.budgets);
  const attempts = createAttempts({
    ...options,
    shareOf,
    findNetwork: (namespace, id) => findById(caches.networks, namespace, id),
    compile: compiler.compile,
    limits: compilers,
  });
  return {
    async answer({ upstream, rest, networkUid, source, ...given }) {
      // Hardhat puts a slash before its paths, and Foundry puts none: with and without one at the end of the URL.
      const url = new URL(`http://service/${rest.replace(/^\/+/, '')}`);
      const isEtherscan = !url.pathname.startsWith('/v2');
      const account = shareOf(findNetwork(networkUid)?.metadata.namespace ?? networkUid);
      const ends: (() => void)[] = [];
      try {
        ends.push(await networks.begin(networkUid));
        ends.push(await accounts.begin(account));
        const chain = createEvmRpc({ url: `http://${authorityOf(upstream)}`, agent });
        const place = placeOn(compilers, findNetwork(networkUid));
        const charge = (requests: number) => lookups.charge({ source, account }, requests);
        const request = { ...given, ...place, chain, charge, path: url.pathname, query: url.searchParams };
        const answer = (isEtherscan ? answerEtherscan : answerSourcify)({ kube, attempts, clock }, request);
        return await (answer ?? Promise.reject(unknownPath()));
      } catch (error) {
        if (!isAppError(error)) throw error;
        // A message of the node may name what it forks from.
        const safe = new AppError(error.reason, redact(error.message));
        return isEtherscan ? etherscanError(safe) : sourcifyError(safe, given.requestId);
      } finally {
        for (const end of ends) end();
      }
    },
    async close() {
      await Promise.all([compiler.close(), agent.destroy()]);
    },
  };
}

/** Who has the URL of a network needs no account: its requests must not keep those of others from kube-apiserver. */
function createRequestLimits({ budgets: metrics }: Pick<VerificationOptions, 'budgets'>) {
  return {
    networks: createConcurrencyLimit({ perCaller: atOnce.network, metrics, kind: 'network' }),
    accounts: createConcurrencyLimit({ perCaller: atOnce.account, metrics, kind: 'owner of the network' }),
  };
}

function placeOn({ url }: CompilerSettings, network: Stored<NetworkResource> | undefined) {
  if (url === '') {
    const message = 'this installation has no compilers, so contracts cannot be verified (compilers.image)';
    throw new AppError('NotImplemented', message);
  }
  const enclaveID = incarnationOf(network);
  if (!network || enclaveID === undefined) {
    throw new AppError('Unavailable', 'the network is starting; retry', { retryAfterSeconds: 2 });
  }
  return { network, enclaveID };
}

function unknownPath(): AppError {
  return new AppError(
    'NotFound',
    'path not found: use POST /v2/verify/{chainId}/{address}, GET /v2/verify/{id} or GET /v2/contract/{chainId}/{address}',
  );
}
