import type { ChainType } from '../../api/resources/chainSpecs.ts';
import type { PluginConfig } from '../../api/resources/plugins.ts';
import type { Program } from '../../chains/driver.ts';
import { planContext } from '../../chains/testing/planContext.ts';
import { scriptsOf } from '../../chains/testing/scripts.ts';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import type { Known } from '../../deploy/step.ts';
import { stableJson } from '../../lib/hash.ts';
import { maxHostedName } from '../../networks/serviceHosts.ts';
import {
  type Plugin,
  type PluginInput,
  type PluginPart,
  type PluginPlan,
  type PluginStep,
  type PluginStepsInput,
  pluginScope,
  type ServiceStep,
} from '../plugin.ts';

export interface PluginCase {
  plugin: Plugin;
  config: PluginConfig;
  type?: ChainType;
  /** Absent: the plugin deploys none. */
  contracts?: TokenContracts;
  /** What earlier steps make known where an address will not do. */
  known?: Readonly<Record<string, string>>;
}

/** What is checked: everything that a plugin returns for one input, and the secrets that it was given. */
interface Subject {
  plugin: Plugin;
  known: Known;
  input: PluginStepsInput;
  plan: PluginPlan;
  services: ReturnType<Plugin['services']>;
  steps: readonly PluginStep[];
  secrets: ReadonlySet<string>;
}

/** What every plugin must do, without a cluster and without a chain. */
export function describePlugin(subject: PluginCase): void {
  it.each(checks)('$title', ({ problems }) => {
    expect(problems(subject)).toEqual([]);
  });
}

/** Every problem of a plugin, in words; for one that is not pure, only that. */
export function problemsOf(subject: PluginCase): string[] {
  const impure = impurities(subject);
  return impure.length > 0 ? impure : checks.flatMap(({ problems }) => problems(subject));
}

const checks: { title: string; problems(subject: PluginCase): string[] }[] = [
  { title: 'returns the same for the same input, and does not change the input', problems: impurities },
  {
    title: 'names parts and ports by the rules for Kubernetes container and port names',
    problems: wrongNames,
  },
  {
    title: 'has a port of a part behind each service, and no service name of a chain',
    problems: wrongServices,
  },
  { title: 'runs exactly the engines that it says it needs', problems: wrongEngines },
  { title: 'has files with absolute paths, small enough for a ConfigMap', problems: wrongFiles },
  {
    title: 'runs the same scripts in every network, so that no shell reads what a user wrote',
    problems: ownScripts,
  },
  {
    title: 'has secrets only in the files of programs and in what it tells its own service',
    problems: leaks,
  },
  { title: 'mounts each of its secrets, and no other', problems: wrongMounts },
  {
    title: 'has steps that can run, each in the scope of this plugin and network',
    problems: wrongSteps,
  },
];

const network = { id: '7b1c7f0e-0000-4000-8000-000000000001', incarnation: '0123456789abcdef' };
const address = `0x${'5e'.repeat(20)}`;

function subjectOf(one: PluginCase): Subject {
  const { plugin, config, type = 'Ethereum', contracts = noContracts } = one;
  const find = (_network: string, name: string) => one.known?.[name] ?? address;
  const secrets = new Set<string>();
  const input: PluginInput = {
    config,
    chain: {
      type,
      chainId: '1100000001',
      rpcUrl: 'http://net-rpc-0123456789:8545',
      wsUrl: 'ws://net-rpc-0123456789:8545',
    },
    others: [],
    deriveSecret(purpose) {
      const secret = planContext.deriveSecret(purpose);
      secrets.add(secret);
      return secret;
    },
    hostOf: (part, owner = plugin.name) => planContext.hostOf(`${owner}-${part}`),
  };
  const accounts = { deployer: address, service: address };
  const whole = frozen({ ...input, network, accounts, contracts });
  const plan = plugin.plan(whole);
  for (const text of Object.values(plan.secrets ?? {})) secrets.add(text);
  const steps = plugin.steps?.(whole) ?? [];
  const known = { get: find, find };
  return { plugin, known, input: whole, plan, services: plugin.services(config), steps, secrets };
}

const noContract = (name: string): never => {
  throw new Error(`tests have no contract ${name}`);
};
const noContracts = new Proxy({} as TokenContracts, { get: () => noContract });

function frozen(input: PluginStepsInput): PluginStepsInput {
  for (const part of [input, input.config, input.chain, input.others, input.network, input.accounts]) {
    Object.freeze(part);
  }
  return input;
}

/** What a plugin says in a request to its own service: all of it, or only what proxies and logs may see. */
type Told = (request: ReturnType<ServiceStep['request']>) => object;
const everything: Told = (request) => request;
const withoutBody: Told = ({ method, path }) => ({ method, path });

/** Everything that others see of a plugin, with fixed values for the results of earlier steps. */
function spoken({ plugin, known, input, plan, services, steps }: Subject, told: Told): string {
  const { secrets: _mounted, credentials: _kept, ...open } = plan;
  const acts = steps.map((step) => {
    if (step.kind === 'create') return step.initCode(known);
    if (step.kind === 'call') return [step.transaction(known), step.reads(known)];
    return step.kind === 'service' ? told(step.request(known)) : undefined;
  });
  return stableJson(texts([open, services, steps, acts, plugin.report?.(input, known)]));
}

/** JSON has no integers of arbitrary size. */
function texts(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(texts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, texts(member)]));
}

function impurities(one: PluginCase): string[] {
  try {
    const [first, second] = [subjectOf(one), subjectOf(one)];
    const isSame =
      spoken(first, everything) === spoken(second, everything) &&
      stableJson(first.plan.secrets) === stableJson(second.plan.secrets);
    return isSame ? [] : ['returns something else the second time'];
  } catch (error) {
    return [`throws: ${error}`];
  }
}

const portName = /^[a-z]([-a-z0-9]{0,13}[a-z0-9])?$/;

function wrongNames(one: PluginCase): string[] {
  const { plugin, plan } = subjectOf(one);
  const names = plan.parts.map(({ name }) => name);
  return [
    ...names.filter((name) => !/^[a-z]([-a-z0-9]{0,18}[a-z0-9])?$/.test(`${plugin.name}-${name}`)),
    ...names.filter((name, index) => names.indexOf(name) !== index),
    ...plan.parts.flatMap(({ ports }) => Object.keys(ports).filter((name) => !portName.test(name))),
    ...plan.parts.flatMap(({ ports }) => Object.values(ports).filter((port) => port < 1024)),
    ...plan.parts.filter(({ ports, readyPort }) => !(readyPort in ports)).map(({ name }) => name),
  ].map((name) => `a name or port that is not allowed: ${name}`);
}

/** The service names of chains. */
const taken = /^(rpc|ws|admin|rest|grpc|(el|cl)-\d+|.*-host)$/;

function wrongServices(one: PluginCase): string[] {
  const { plan, services, steps } = subjectOf(one);
  const ports = (part: string) => plan.parts.find(({ name }) => name === part)?.ports ?? {};
  const asked = steps.flatMap((step) => (step.kind === 'service' ? [step.service] : []));
  return [
    ...Object.keys(services).filter((name) => !portName.test(name) || taken.test(name)),
    ...Object.entries(services).flatMap(([name, { hasSignIn }]) =>
      hasSignIn && name.length > maxHostedName ? [name] : [],
    ),
    ...Object.entries(services).flatMap(([name, { part, port }]) => (port in ports(part) ? [] : [name])),
    ...asked.filter((name) => !(name in services)),
  ].map((name) => `a service that is not allowed: ${name}`);
}

function wrongEngines(one: PluginCase): string[] {
  const needed = new Set(one.plugin.engines(one.config).map(({ engine }) => engine));
  const used = new Set(
    subjectOf(one)
      .plan.parts.flatMap(programsOf)
      .map(({ engine }) => engine),
  );
  return [
    ...[...needed]
      .filter((engine) => !used.has(engine))
      .map((engine) => `an engine that nothing runs: ${engine}`),
    ...[...used]
      .filter((engine) => !needed.has(engine))
      .map((engine) => `an engine that it does not name: ${engine}`),
  ];
}

function wrongFiles(one: PluginCase): string[] {
  return subjectOf(one).plan.parts.flatMap(({ name, files }) => [
    ...Object.keys(files)
      .filter((path) => !path.startsWith('/etc/'))
      .map((path) => `a file outside of /etc: ${path}`),
    ...(Buffer.byteLength(Object.values(files).join('')) < 200_000
      ? []
      : [`too many bytes of files: ${name}`]),
  ]);
}

function ownScripts(one: PluginCase): string[] {
  const { plugin, input, plan } = subjectOf(one);
  const chain = { ...input.chain, chainId: '7', rpcUrl: 'http://other:1', wsUrl: 'ws://other:1' };
  const other = plugin.plan({ ...input, chain, hostOf: (part) => `other-${part}` });
  const isSame = stableJson(scriptsOf(other.parts)) === stableJson(scriptsOf(plan.parts));
  return isSame ? [] : ['a script that is not the same in every network'];
}

function leaks(one: PluginCase): string[] {
  const subject = subjectOf(one);
  const open = spoken(subject, withoutBody);
  return [...subject.secrets].some((secret) => open.includes(secret)) ? ['a secret is exposed'] : [];
}

function wrongMounts(one: PluginCase): string[] {
  const { plan } = subjectOf(one);
  const mounted = plan.parts
    .flatMap(programsOf)
    .flatMap(({ secretFiles = {} }) => Object.entries(secretFiles));
  const names = new Set(mounted.map(([, name]) => name));
  const known = Object.keys(plan.secrets ?? {});
  return [
    ...mounted.filter(([path]) => !path.startsWith('/etc/')).map(([path]) => path),
    ...[...names].filter((name) => !known.includes(name)),
    ...known.filter((name) => !names.has(name)),
  ].map((name) => `a secret that is not mounted correctly: ${name}`);
}

function programsOf(part: PluginPart): Program[] {
  return [part, ...(part.init ?? [])];
}

function wrongSteps(one: PluginCase): string[] {
  const { plugin, steps } = subjectOf(one);
  const scope = pluginScope(plugin.name, network);
  const ids = steps.map(({ network: id, name }) => `${id}/${name}`);
  return [
    ...steps.filter((step) => step.network !== network.id).map(({ name }) => `on another network: ${name}`),
    ...steps
      .filter((step) => 'scope' in step && step.scope !== scope)
      .map(({ name }) => `of another scope: ${name}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice: ${id}`),
    ...untakeable(steps).map((id) => `waits for a step that never happens: ${id}`),
  ];
}

/** Steps that remain when each runs after those before it. */
function untakeable(steps: readonly PluginStep[]): string[] {
  const taken = new Set<string>();
  let open = steps;
  for (let before = Number.POSITIVE_INFINITY; open.length < before; ) {
    before = open.length;
    const free = open.filter(({ after }) => after.every((id) => taken.has(id)));
    for (const { network: id, name } of free) taken.add(`${id}/${name}`);
    open = open.filter((step) => !free.includes(step));
  }
  return open.map(({ network: id, name }) => `${id}/${name}`);
}
