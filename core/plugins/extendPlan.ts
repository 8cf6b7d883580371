import type { PluginName } from '../api/resources/plugins.ts';
import { type ChosenPlugin, pluginsOf } from '../api/rules/plugins.ts';
import type { ChainDriver, EnginePart, EnginePlan, PlanInput, Program } from '../chains/driver.ts';
import { engineBlocker } from '../engines/needs.ts';
import { compact } from '../lib/compact.ts';
import { AppError, type ErrorDetail, messageOf } from '../lib/errors.ts';
import type { Plugin, PluginInput, PluginPart } from './plugin.ts';
import { enginesOfPlugin, refusedPlugins } from './refusals.ts';
import { type PluginRegistry, plugins } from './registry.ts';

/** A plugin as a network runs it. */
export interface PlannedPlugin {
  plugin: Plugin;
  input: PluginInput;
  /** The names of its parts in the network's plan. */
  parts: readonly string[];
  /** What is wrong when the data of a part was lost with its pod while others run on, and what to do; by the part's name. */
  afterLoss: Readonly<Record<string, string>>;
  credentials?: Readonly<Record<string, string>>;
  /** The texts that no message may contain. */
  secretTexts: readonly string[];
}

type Reasons = Partial<Record<PluginName, string>>;

/** What the plugins of a network add to its plan; a refused one adds nothing and leaves the others alone. */
export interface PluginPlans {
  run: readonly PlannedPlugin[];
  /** Why a plugin cannot run, and what to do. */
  refused: Readonly<Reasons>;
  /** What a plugin waits for, if that resolves by itself. */
  waiting: Readonly<Reasons>;
}

export interface ExtendedPlan extends EnginePlan {
  plugins?: PluginPlans;
}

export interface ExtendedDriver extends ChainDriver {
  plan(input: PlanInput): ExtendedPlan;
}

/** The driver whose plans include the parts of the network's plugins. */
export function withPlugins(driver: ChainDriver, registered: PluginRegistry = plugins): ExtendedDriver {
  return { ...driver, plan: (input) => extendPlan(driver.plan(input), input, registered) };
}

function extendPlan(base: EnginePlan, input: PlanInput, registered: PluginRegistry): ExtendedPlan {
  const chosen = pluginsOf(input.chain);
  if (chosen.length === 0) return base;
  const { refused, waiting } = blockersOf(input, chosen, registered);
  const found = chosen.filter(({ name }) => registered[name] && refused[name] === undefined);
  const run: PlannedPlugin[] = [];
  let plan = base;
  for (const one of found.filter(({ name }) => waiting[name] === undefined)) {
    const plugin: Plugin | undefined = registered[one.name];
    if (!plugin) continue;
    // A waiting plugin will run: what is planned for it now need not change then.
    const others = found.map(({ name }) => name).filter((other) => other !== one.name);
    try {
      const extended = extendBy(plan, plugin, inputOf(one, { base, input, others }));
      plan = extended.plan;
      run.push(extended.planned);
    } catch (error) {
      refused[one.name] = messageOf(error);
    }
  }
  return { ...plan, plugins: { run, refused, waiting } };
}

/** What blocks each plugin. Nothing does without the installation's engines, as in tests of drivers. */
function blockersOf(
  { chain, engines }: PlanInput,
  chosen: readonly ChosenPlugin[],
  registered: PluginRegistry,
): { refused: Reasons; waiting: Reasons } {
  if (!engines) return { refused: {}, waiting: {} };
  const refused: Reasons = Object.fromEntries(
    refusedPlugins(chain, registered).map(({ name, details }) => [name, textOf(details)]),
  );
  const waiting: Reasons = {};
  for (const plugin of chosen.filter(({ name }) => refused[name] === undefined)) {
    const blocker = engineBlocker(enginesOfPlugin(plugin, registered), engines);
    if (!blocker) continue;
    if (blocker.kind === 'waiting') waiting[plugin.name] = blocker.message;
    else refused[plugin.name] = blocker.kind === 'failed' ? blocker.message : textOf(blocker.details);
  }
  return { refused, waiting };
}

const textOf = (details: readonly ErrorDetail[]) =>
  details.map(({ path, message }) => `${path}: ${message}`).join('; ');

interface Surroundings {
  base: EnginePlan;
  input: PlanInput;
  others: readonly PluginName[];
}

function inputOf({ name, config }: ChosenPlugin, { base, input, others }: Surroundings): PluginInput {
  const { chain, chainId } = input;
  return {
    config,
    others,
    chain: { type: chain.type, chainId, ...urlsOf(base, input) },
    deriveSecret: (purpose, owner = name) => input.deriveSecret(`plugin/${owner}/${purpose}`),
    hostOf: (part, owner = name) => input.hostOf(nameOf(owner, part), owner),
  };
}

/** A chain without a service of its own for WebSockets takes them at the port of its JSON-RPC. */
function urlsOf({ parts, services }: EnginePlan, { hostOf }: PlanInput) {
  const authorityOf = ({ part, port }: { part: string; port: string } = { part: '', port: '' }) =>
    `${hostOf(part)}:${parts.find(({ name }) => name === part)?.ports[port]}`;
  const { rpc, ws = rpc } = services;
  return { rpcUrl: `http://${authorityOf(rpc)}`, wsUrl: `ws://${authorityOf(ws)}` };
}

/** Parts and secrets of plugins carry the plugin's name as a prefix, so that names never collide. */
function nameOf(plugin: PluginName, name: string): string {
  return `${plugin}-${name}`;
}

interface Extended {
  plan: EnginePlan;
  planned: PlannedPlugin;
}

/** Throws when the plugin does not fit to the others. */
function extendBy(plan: EnginePlan, plugin: Plugin, input: PluginInput): Extended {
  const { name } = plugin;
  const { parts, secrets = {}, credentials } = plugin.plan(input);
  const services = Object.entries(plugin.services(input.config)).map(([service, target]) => {
    if (service in plan.services) {
      throw new AppError('Internal', `two services of a network are named ${service}`);
    }
    return [service, { ...target, part: nameOf(name, target.part) }] as const;
  });
  const ownSecrets = Object.entries(secrets).map(([secret, text]) => [nameOf(name, secret), text] as const);
  const allSecrets = { ...plan.secrets, ...Object.fromEntries(ownSecrets) };
  const ownParts = parts.map((part) => partOf(name, part));
  return {
    plan: {
      ...plan,
      parts: [...plan.parts, ...ownParts],
      services: { ...plan.services, ...Object.fromEntries(services) },
      ...(Object.keys(allSecrets).length === 0 ? {} : { secrets: allSecrets }),
    },
    planned: {
      plugin,
      input,
      parts: ownParts.map((part) => part.name),
      ...compact({ credentials }),
      afterLoss: Object.fromEntries(
        parts.flatMap(({ name: part, afterLoss }) => (afterLoss ? [[nameOf(name, part), afterLoss]] : [])),
      ),
      secretTexts: [...Object.values(secrets), ...Object.values(credentials ?? {})],
    },
  };
}

function partOf(plugin: PluginName, { afterLoss: _forTheStatus, ...part }: PluginPart): EnginePart {
  const { init } = part;
  return {
    ...withSecrets(plugin, part),
    ...(init ? { init: init.map((program) => withSecrets(plugin, program)) } : {}),
    name: nameOf(plugin, part.name),
    plugin,
    losesChainWith: 'nothing',
  };
}

/** A program whose files name the secrets as the whole plan does. */
function withSecrets<Kind extends Program>(plugin: PluginName, program: Kind): Kind {
  if (!program.secretFiles) return program;
  const files = Object.entries(program.secretFiles).map(([path, secret]) => [path, nameOf(plugin, secret)]);
  return { ...program, secretFiles: Object.fromEntries(files) };
}
