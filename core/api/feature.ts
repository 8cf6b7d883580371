import type { z } from 'zod';
import type { ProcessAccess } from './access/rbac/rule.ts';
import type { Operation } from './operations/operation.ts';
import type { ChainType } from './resources/chainSpecs.ts';
import type { Definition } from './resources/definition.ts';
import type { KubeObject } from './resources/kubeObject.ts';
import type { StoredKind } from './resources/records/storedBytes.ts';

/** Operations of one subject, as documents show them. */
export interface OperationGroup {
  /** That of another group adds the operations to it. */
  name: string;
  description?: string;
  operations: Readonly<Record<string, Operation>>;
  /** The kinds whose caches they read: what was acknowledged shows there first. All where that is not known. */
  reads?: readonly string[];
}

export interface Example {
  request?: unknown;
  response?: unknown;
}

/** How the SDK names operations. */
interface ClientNames {
  /** The group of the operations whose ids contain a noun; the rest of the id is the name of the method. */
  nouns?: Readonly<Record<string, string>>;
  /** Operations that this would name badly, with group and method: `networks.requestFunds`. */
  methods?: Readonly<Record<string, string>>;
  /** What the groups are about. */
  groups?: Readonly<Record<string, string>>;
}

/** What else is there of a namespace into which a record is restored. */
export interface CountsThere {
  /** The epoch with which its keys begin. */
  first: number;
  /** The uid of an object that the record counts. */
  uidOf(name: string): string | undefined;
}

interface CountsUp {
  /** The kind whose objects it counts, by their names. */
  of: string;
  /** `live`: that of the record that is there, if there is one. */
  raised(former: object, live: object | undefined, there: CountsThere): object;
}

/** A custom resource of a feature. */
export interface FeatureResource extends Definition {
  /**
   * The name of its data in budgets, how many objects a page of its lists has, and whether processes keep all of them in memory. Absent if it
   * does not belong to a workspace.
   */
  counted?: { kind: StoredKind; pageSize: number; isCached?: boolean };
  /** Whether the API server creates none without room for it. */
  isClosedToUsers?: boolean;
  /** Whether the operator creates this one only if there is room for it. */
  isClosedToOperator?(object: KubeObject): boolean;
  /** Whether the operator only counts its objects. */
  isOnlyCounted?: boolean;
  /** Whether REST knows its objects by ids that they keep. */
  hasId?: boolean;
  /** If what it says must never go back: what a restore writes over a spec that is there. */
  countsUp?: CountsUp;
}

/** It is offered at public URLs of the networks for which it says so, by the chain type and config.json. */
interface FeatureService {
  name: string;
  /** What URLs call it, with what its paths are below: goes before the rest of the URL. */
  urls: Readonly<Record<string, string>>;
  isOffered(chainType: ChainType, settings: Readonly<Record<string, unknown>>): boolean;
}

/** What the processes and people may do with the resources of a feature. */
interface FeatureAccess {
  apiserver?: Partial<ProcessAccess>;
  operator?: Partial<ProcessAccess>;
  /** Resources that the roles of the cluster cover. */
  people?: { view?: readonly string[]; edit?: readonly string[] };
}

/**
 * What a feature adds to the contract: plain data, from which both processes, the generator and the documents are made. It is
 * exported as `feature` by the feature.ts of its folder.
 */
export interface Feature {
  groups?: readonly OperationGroup[];
  /** The schemas that documents and the SDK name. */
  schemas?: Readonly<Record<string, z.ZodType>>;
  /** By the ids of its operations, where an example adds to the schema. */
  examples?: Readonly<Record<string, Example>>;
  client?: ClientNames;
  resources?: readonly FeatureResource[];
  access?: FeatureAccess;
  /** Services at URLs of networks that the API server answers by itself. */
  services?: readonly FeatureService[];
  /** Its parts of config.json. */
  settings?: Readonly<Record<string, z.ZodType>>;
  /** What callers may use up, and what it bounds: the label of the metric of refusals. */
  budgets?: Readonly<Record<string, string>>;
}
