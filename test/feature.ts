import type { Row } from '../apiserver/testing/tenantRow.ts';
import type { Walk } from '../apiserver/testing/walk.ts';
import type { Sealer } from '../core/accounts/seal.ts';
import type { OperationId } from '../core/api/operations/operations.ts';
import type { NamespacedObject, ResourceType } from '../core/api/resources/kubeObject.ts';
import type { ResourceOptions } from '../core/api/testing/builders.ts';
import type { Kube, KubeObject, Stored } from '../core/kube/kube.ts';
import type { Client } from '../sdk/src/client.ts';

interface TestObject {
  type: ResourceType;
  make(options: ResourceOptions<unknown>): NamespacedObject;
}

interface BackupScene {
  create<T extends KubeObject>(object: T): Promise<Stored<T>>;
  sealer: Sealer;
  namespace: string;
  /** The uid of a membership. */
  membership: string;
}

/** What the tests of the API server ask of a feature. It is exported as `feature` by the testing/feature.ts of its folder. */
export interface TestFeature {
  /** How its operations refer to objects. */
  tenantRows: Readonly<Record<string, Row>>;
  /** Operations whose paths name something else than an object of a workspace. */
  namesOthers?: readonly OperationId[];
  /** Its objects with ids, by what rows call them. */
  objects?: Readonly<Record<string, TestObject>>;
  /** What is written at one replica and read at another, by what it is. */
  walks?: Readonly<Record<string, (walk: Walk) => Promise<void>>>;
  /** Its operations that write and are not walked, with the reason. */
  notWalked?: Readonly<Record<string, string>>;
  /** Answers in place of its controllers. Answers what ends that. */
  operate?(kube: Kube): (() => Promise<void>)[];
  /** Makes an object for a backup, and others that are named after it. */
  backup?(scene: BackupScene): Promise<void>;
  /** Uses each of its groups of the client, with a network. */
  sdk?: Readonly<Record<string, (client: Client, network: { id: string }) => Promise<void>>>;
}
