import type { PluginName } from '../api/resources/plugins.ts';
import { pluginsOf } from '../api/rules/plugins.ts';
import type { ChainDriver, EnginePart, EnginePlan, PlanInput, Program } from '../chains/driver.ts';
import type { Plugin, PluginInput, PluginPart } from './plugin.ts';
import { type PluginRegistry, plugins } from './registry.ts';

/** The driver whose plans include the parts of the network's plugins. */
export function withPlugins(driver: ChainDriver, registered: PluginRegistry = plugins): ChainDriver {
  return { ...driver, plan: (input) => extendPlan(driver.plan(input), input, registered) };
}

function extendPlan(plan: EnginePlan, input: PlanInput, registered: PluginRegistry): EnginePlan {
  const found = pluginsOf(input.chain);
  return found.reduce((extended, { name, config }) => {
    const plugin: Plugin | undefined = registered[name];
    if (!plugin) return extended;
    const others = found.map((one) => one.name).filter((other) => other !== name);
    return extendBy(extended, plugin, { ...inputOf(name, plan, input), config, others });
  }, plan);
}

function inputOf(name: PluginName, plan: EnginePlan, input: PlanInput) {
  const { chain, chainId } = input;
  return {
    chain: { type: chain.type, chainId, rpcUrl: rpcUrlOf(plan, input) },
    deriveSecret: (purpose: string) => input.deriveSecret(`plugin/${name}/${purpose}`),
    hostOf: (part: string, owner: PluginName = name) => input.hostOf(nameOf(owner, part)),
  };
}

function rpcUrlOf({ parts, services }: EnginePlan, { hostOf }: PlanInput): string {
  const { part = '', port = '' } = services.rpc ?? {};
  return `http://${hostOf(part)}:${parts.find(({ name }) => name === part)?.ports[port]}`;
}

/** Parts and secrets of plugins carry the plugin's name as a prefix, so that names never collide. */
function nameOf(plugin: PluginName, name: string): string {
  return `${plugin}-${name}`;
}

function extendBy(plan: EnginePlan, plugin: Plugin, input: PluginInput): EnginePlan {
  const { name } = plugin;
  const { parts, secrets = {} } = plugin.plan(input);
  const services = Object.entries(plugin.services(input.config)).map(([service, target]) => {
    if (service in plan.services) throw new Error(`two services of a network are named ${service}`);
    return [service, { ...target, part: nameOf(name, target.part) }] as const;
  });
  const ownSecrets = Object.entries(secrets).map(([secret, text]) => [nameOf(name, secret), text] as const);
  const allSecrets = { ...plan.secrets, ...Object.fromEntries(ownSecrets) };
  return {
    ...plan,
    parts: [...plan.parts, ...parts.map((part) => partOf(name, part))],
    services: { ...plan.services, ...Object.fromEntries(services) },
    ...(Object.keys(allSecrets).length === 0 ? {} : { secrets: allSecrets }),
  };
}

function partOf(plugin: PluginName, part: PluginPart): EnginePart {
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
