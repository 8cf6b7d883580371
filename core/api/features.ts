import { features as registered } from '../../features/registry/api.ts';
import { type Intersection, merged } from '../lib/typed.ts';
import type { AccessRule, ProcessAccess } from './access/rbac/rule.ts';
import type { Feature, FeatureResource, OperationGroup } from './feature.ts';
import type { ChainType } from './resources/chainSpecs.ts';

/** Where the contract meets the features: what it knows of them is what their definitions say. */
const features: readonly Feature[] = registered;

type Registered = (typeof registered)[number];
type Part<Of, Name extends keyof Feature> =
  Of extends Readonly<Record<Name, infer Members>> ? Members : never;
type Operations<Group> = Group extends { operations: infer Members } ? Members : never;

/** The members that all features have under this name, such as their settings. */
export function membersOfFeatures<Name extends 'schemas' | 'examples' | 'settings' | 'budgets'>(
  name: Name,
): Intersection<Part<Registered, Name>> {
  return Object.assign({}, ...features.map((feature) => feature[name]));
}

export const featureGroups: readonly OperationGroup[] = features.flatMap(({ groups = [] }) => groups);

/** Their operations, with the types of each. */
export const featureOperations: Intersection<Operations<Part<Registered, 'groups'>[number]>> = Object.assign(
  {},
  ...featureGroups.map(({ operations }) => operations),
);

export const featureResources: readonly FeatureResource[] = features.flatMap(
  ({ resources = [] }) => resources,
);

/** What a process may do for features, at one of the places where rules apply. */
export function accessOfFeatures(
  process: 'apiserver' | 'operator',
  where: keyof ProcessAccess,
): readonly AccessRule[] {
  return features.flatMap(({ access }) => access?.[process]?.[where] ?? []);
}

/** The resources of features that a role of the cluster covers. */
export function resourcesForPeople(role: 'view' | 'edit'): readonly string[] {
  return features.flatMap(({ access }) => access?.people?.[role] ?? []);
}

export const featureServices = features.flatMap(({ services = [] }) => services);

/** The services of features that a network has, beside those of its engine. */
export function servicesOfFeatures(
  chainType: ChainType,
  settings: Readonly<Record<string, unknown>>,
): string[] {
  return featureServices.filter(({ isOffered }) => isOffered(chainType, settings)).map(({ name }) => name);
}

const names = features.flatMap(({ client }) => client ?? []);
export const featureClient = {
  nouns: merged(names.map(({ nouns = {} }) => nouns)),
  methods: merged(names.map(({ methods = {} }) => methods)),
  groups: merged(names.map(({ groups = {} }) => groups)),
};
