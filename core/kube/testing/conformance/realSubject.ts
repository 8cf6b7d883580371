import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { silentLog } from '../../../lib/log.ts';
import { createReflector } from '../../cache/reflector.ts';
import { createKube } from '../../client/client.ts';
import type { Kube } from '../../kube.ts';
import { namespaceType } from '../../types.ts';
import { type ConformanceSubject, type Definition, definitionType, widgetDefinition } from './subject.ts';

/** A new namespace on the server of the integration tests, which serves widgets. */
export async function createRealSubject(kubeconfigPath: string): Promise<ConformanceSubject> {
  const kube = createKube({ kubeconfigPath, log: silentLog, clock: systemClock });
  const namespace = `conformance-${randomBytes(4).toString('hex')}`;
  await kube.create(namespaceType, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await defineAndWait(kube, widgetDefinition);
  return {
    kube,
    namespace,
    async close() {
      await kube.delete(namespaceType, { name: namespace });
      await kube.close();
    },
  };
}

/** Defines a kind and waits until the server serves it. */
export async function defineAndWait(kube: Kube, definition: Definition): Promise<void> {
  const definitions = createReflector({ kube, type: definitionType, log: silentLog, clock: systemClock });
  definitions.start();
  await kube.apply(definitionType, definition, { fieldManager: 'conformance' });
  const isEstablished = ({ metadata, status }: Definition) =>
    metadata.name === definition.metadata.name &&
    status?.conditions?.some(({ type, status: state }) => type === 'Established' && state === 'True') ===
      true;
  const found = await definitions.waitFor(isEstablished, { timeoutMs: 30_000 });
  await definitions.stop();
  if (!found) throw new AppError('Unavailable', `${definition.metadata.name} is not served`);
}
