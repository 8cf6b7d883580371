import { features as registered } from '../../features/registry/api.ts';
import { type Intersection, merged } from '../lib/typed.ts';
import type { Feature, OperationGroup } from './feature.ts';

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

const names = features.flatMap(({ client }) => client ?? []);
export const featureClient = {
  nouns: merged(names.map(({ nouns = {} }) => nouns)),
  methods: merged(names.map(({ methods = {} }) => methods)),
  groups: merged(names.map(({ groups = {} }) => groups)),
};
