import type { Access } from '../../../core/accounts/accessKeys.ts';
import type { EvmRpc, RpcError } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { BlockUse } from './blockUse.ts';
import type { SubscriptionUse } from './subscriptions.ts';

/** Who may call a JSON-RPC method: everybody with a URL, holders of the admin URL, nobody. */
export type MethodAccess = Access | 'never';

interface CommonPolicy {
  /** Names of the upstream's port, best first. */
  ports: readonly string[];
  /** The access key that the service asks for; the admin key opens everything. */
  needs: Access;
}

/** What a call is answered with, besides its id. */
export type OwnAnswer = { result: unknown } | { error: RpcError };

/** What working out an answer may use. */
export interface AssistContext {
  networkUid: string;
  /** The network's node. */
  rpc: EvmRpc;
  clock: Clock;
  /** Whether the engine may have states that a former process saved. */
  hasHistory: boolean;
  /** Aborted once the caller has gone. */
  signal: AbortSignal;
  /** The call has done what it does: later ones need not wait for its answer. */
  noteDone(): void;
}

/** Asks the node what it takes to answer a call; resolves to undefined when the call is forwarded after all. */
export type Assist = (context: AssistContext) => Promise<OwnAnswer | undefined>;

/** JSON-RPC over HTTP POST, over WebSocket or over both; each call is judged by its method. */
export interface JsonRpcPolicy extends CommonPolicy {
  kind: 'jsonRpc';
  hasHttp: boolean;
  /** `text` is the JSON text of the whole call, for methods whose parameters decide; absent in URI calls. */
  methodAccess(method: string, text?: string): MethodAccess;
  /** Methods that the policy names one by one, whoever may call them. */
  named?: readonly string[];
  /** Why a call is refused, with the remedy; undefined if that needs no explanation. */
  refusalReason?(method: string, text?: string): string | undefined;
  /** How a call, given with its JSON text, uses blocks; absent: chains whose blocks come by themselves. */
  blockUse?(method: string, text: string): BlockUse | undefined;
  /** Why its nodes cannot answer a call, given as JSON text, or it asks for too much, with the remedy; undefined for all others. */
  faultOf?(method: string, text: string): string | undefined;
  /** How the gateway answers a call itself that its nodes would answer wrongly; undefined for all others. */
  assist?(method: string, text: string): Assist | undefined;
  /** Why its nodes cannot give back the id of a call, given as JSON text; undefined for all that they can. */
  idFault?(id: string): string | undefined;
  /** A call, as JSON text, in the form that its nodes accept; undefined if it is sent as it is. */
  rewrite?(method: string, text: string): string | undefined;
  /** Whether a call executes contracts in the node: only a few at a time do; absent: nodes that bound it themselves. */
  computes?(method: string): boolean;
  /** How much room the answer to a call takes in the node, of `maxAnswers`; absent: all are short. */
  answerWeight?(method: string, text: string): number;
  /** What a call does to the subscriptions of its connection; absent: nodes that bound them themselves. */
  subscription?(method: string, text: string): SubscriptionUse | undefined;
  /** Whether a call leaves something in the node, such as a filter; absent: nodes that bound it themselves. */
  keeps?(method: string): boolean;
  /** Whether doing a call twice does no more than doing it once. */
  isRepeatable(method: string): boolean;
  /** Whether GET of `/{method}?{params}` is a call as well, as CometBFT has it. */
  hasUriCalls?: boolean;
  /** False: over HTTP alone. */
  hasSocket?: boolean;
  /** Where the node takes WebSockets; absent: `/`. Callers may add it to the URL. */
  socketPath?: string;
}

/** Any HTTP method on any path below the service; for explorers, indexers and REST nodes. */
export interface PlainHttpPolicy extends CommonPolicy {
  kind: 'plainHttp';
  /** It refuses everyone who has not signed in, so it may have a host name of its own. */
  hasSignIn?: boolean;
  /** A program with a sign-in of its own: it gets the caller's credentials and cookies, and WebSockets on any path. */
  isApplication?: boolean;
  /** Who may use an HTTP method on a path, which begins with a slash and has no query; absent: everybody, all. */
  pathAccess?(method: string, path: string): MethodAccess;
}

/** A service that this process answers by itself. */
export interface OwnPolicy extends CommonPolicy {
  kind: 'own';
  service: string;
  /** What its paths are below: goes before the rest of the URL. */
  below: string;
}

export type ServicePolicy = JsonRpcPolicy | PlainHttpPolicy | OwnPolicy;
export type Services = Pick<ReadonlyMap<string, ServicePolicy>, 'get'>;
