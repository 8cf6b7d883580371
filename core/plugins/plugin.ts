import type { Interface } from 'ethers';
import type { Access } from '../accounts/accessKeys.ts';
import type { ChainType } from '../api/resources/chainSpecs.ts';
import type { PluginConfig, PluginName } from '../api/resources/plugins.ts';
import type { EnginePart } from '../chains/driver.ts';
import type { TokenContracts } from '../deploy/artifacts.ts';
import type { Accounts, DeployNetwork, Known, Step, StepId } from '../deploy/step.ts';
import type { EngineNeed } from '../engines/needs.ts';
import type { ErrorDetail } from '../lib/errors.ts';

/**
 * The interface between the operator and a plugin of a network. A plugin is pure, like chain drivers and token standards:
 * it says which pods it needs, which steps run on the chain and at its own services, and what its status reports.
 *
 * `withPlugins` adds parts, files, secrets and services to the plan of the network's driver; the network's controller runs
 * them as pods of their own, which never change the chain or the network's state. The plugin controller (operator/plugin) runs
 * the steps, keeps the Secret with the credentials, and writes `status.plugins`.
 */
export interface Plugin<Name extends PluginName = PluginName> {
  name: Name;
  /** The engines of the plan for a valid config, each with the path from the config on of the member that needs it. */
  engines(config: PluginConfig<Name>): readonly EngineNeed[];
  /** The parts of a valid config that cannot run on this network, each with its path from the config on; omitted when there are none. */
  refuse?(request: PluginRequest<Name>): ErrorDetail[];
  /** The services of the EndpointSet, under names that no chain and no other plugin uses. Each is plain HTTP. */
  services(config: PluginConfig<Name>): Readonly<Record<string, PluginService>>;
  plan(input: PluginInput<Name>): PluginPlan;
  /** Other plugins of the network whose contracts or services the steps use: steps begin once those are ready. Omitted: none. */
  uses?(request: PluginUse<Name>): readonly PluginName[];
  /** What is done once the parts are ready, in the order that `after` gives; omitted when there is nothing to do. */
  steps?(input: PluginStepsInput<Name>): PluginStep[];
  /** To explain why a contract refused a step. */
  errorAbis?(contracts: TokenContracts): readonly Interface[];
  /** What status.plugins reports once all steps are done. Never a secret: every reader of the network sees it. */
  report?(input: PluginStepsInput<Name>, known: Known): PluginReport;
}

interface PluginRequest<Name extends PluginName = PluginName> {
  config: PluginConfig<Name>;
  type: ChainType;
  /** The other plugins of the network. */
  others: readonly PluginName[];
}

type PluginUse<Name extends PluginName = PluginName> = Pick<PluginRequest<Name>, 'config' | 'others'>;

/** A service behind a port of one of the plugin's parts. */
interface PluginService {
  part: string;
  port: string;
  /** Who may use it: everybody with a URL of the network, or holders of the admin URL. */
  needs: Access;
  /**
   * It refuses everybody who has not signed in: so it has a host name of its own, which is less secret than a path, where the
   * installation has a domain for those. Its name has at most 9 characters.
   */
  hasSignIn?: boolean;
}

/** What a plugin's pods are planned from. */
export interface PluginInput<Name extends PluginName = PluginName> {
  config: PluginConfig<Name>;
  chain: {
    type: ChainType;
    chainId: string;
    /** JSON-RPC inside the cluster, without the gateway: over HTTP and over WebSocket. */
    rpcUrl: string;
    wsUrl: string;
  };
  /** The other plugins of the network: one may use the other, by `hostOf` with its name. */
  others: readonly PluginName[];
  /** 32 secret bytes for a purpose of this plugin, or of another one, in hexadecimal: the same at each call. */
  deriveSecret(purpose: string, plugin?: PluginName): string;
  /** The host name under which the network's pods reach a part of this plugin, or of another one. */
  hostOf(part: string, plugin?: PluginName): string;
}

/** A pod of a plugin. The chain is never lost with it. Names of parts and secrets are local to the plugin. */
export type PluginPart = Omit<EnginePart, 'losesChainWith' | 'copyOf' | 'plugin'> & {
  /**
   * Once its data is lost with its pod while the other parts run on: what is wrong then, and what to do. Absent: the others run
   * on.
   */
  afterLoss?: string;
};

export interface PluginPlan {
  /** Empty when the plugin exists only on the chain. */
  parts: readonly PluginPart[];
  /** Secret texts by name; parts mount them as files. They never appear in args, env or files. */
  secrets?: Readonly<Record<string, string>>;
  /** Login credentials for users, by name: stored as a Secret of the workspace. */
  credentials?: Readonly<Record<string, string>>;
}

/** The input of a plugin's steps. */
export interface PluginStepsInput<Name extends PluginName = PluginName> extends PluginInput<Name> {
  /** Its incarnation is new with each chain, with each config, and each time that the plugin is added. */
  network: DeployNetwork;
  /** Both are the service's own account: users' accounts and their nonces are left alone. */
  accounts: Accounts;
  contracts: TokenContracts;
  /** What the plugins that this one `uses` report. */
  reports?: Readonly<Partial<Record<PluginName, PluginReport>>>;
}

/** A step on the chain, or a request to a service of the plugin. */
export type PluginStep = Step | ServiceStep;

/**
 * A request to a service of the plugin. Later steps know its response as `name.member`: the address of a node's
 * key, the id of a job. It is repeated at each run, so it must be idempotent.
 */
export interface ServiceStep {
  kind: 'service';
  /** Id of the network. */
  network: string;
  name: string;
  /** For people: what it does, as a clause. */
  title: string;
  after: readonly StepId[];
  /** A service of this plugin, or of one that it `uses`. */
  service: string;
  request(known: Known): ServiceRequest;
  /** The values in the response. Throws AppError when the response is not as expected; a retryable error repeats the request. */
  read(answer: ServiceAnswer): Record<string, string>;
}

export interface ServiceRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the service's root on, with its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface ServiceAnswer {
  status: number;
  /** By name in lower case; the cookies of several set-cookie headers are one text, with line feeds between them. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Facts for users of a plugin that is ready. */
export interface PluginReport {
  /** Contracts and accounts on the chain, by name. */
  addresses?: Record<string, string>;
  /** Ids and other facts, by name. */
  values?: Record<string, string>;
}

/** The scope of a plugin's steps: a new incarnation runs all of them again. */
export function pluginScope(name: PluginName, { id, incarnation }: DeployNetwork): string {
  return `plugin/${id}/${name}/${incarnation}`;
}
