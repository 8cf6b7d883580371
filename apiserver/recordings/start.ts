import { idOf } from '../../core/api/ids.ts';
import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingType } from '../../core/api/resources/resources.ts';
import { describeRecording } from '../../core/api/views/recordingView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type ErrorDetail, isAppError, refusalWith } from '../../core/lib/errors.ts';
import type { Principal } from '../http/auth/principal.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { createNamed } from '../store/createOnce.ts';
import type { RecordingDeps } from './deps.ts';
import { toNewResource } from './mapping.ts';

/** How long the answer waits until the operator has seen the recording. */
const beginLimitMs = 10_000;

/**
 * Creates the resource with the heads of its networks, after which everything is captured, and waits until the operator
 * records it; answers in any case, even without the operator.
 */
export function startRecording(deps: RecordingDeps): Handler<'startRecording'> {
  return async ({ principal, body, random, idempotencyMark: mark }) => {
    const networks = await networksOf(deps, principal, body.networkIds);
    const name = body.name ?? `recording-${random('recording', 8).toString('hex')}`;
    const names = networks.map(({ metadata }) => metadata.name);
    const { userAddress, metadata } = body;
    const object = toNewResource(
      { name, userAddress, networks: names, start: await deps.readHeads(networks), labels: metadata?.labels },
      principal,
    );
    const created = await createNamed(deps.kube, { type: recordingType, object, mark });
    const begun = await deps.waitFor((one) => one.metadata.uid === created.metadata.uid && hasBegun(one), {
      timeoutMs: beginLimitMs,
    });
    return {
      body: { recordingId: idOf(created), message: messageOf(begun) },
      location: `/v1alpha1/transaction/recording/${idOf(created)}`,
      objects: [describeRecording(created)],
    };
  };
}

/** The networks in the order of their ids. Throws BadRequest naming each one that cannot be recorded. */
async function networksOf(
  { findNetwork }: RecordingDeps,
  { namespace }: Principal,
  ids: readonly string[],
): Promise<Stored<NetworkResource>[]> {
  const found = await Promise.all(
    ids.map((id) =>
      findNetwork(namespace, id).catch((error: unknown) => {
        if (isAppError(error, 'NotFound')) return undefined;
        throw error;
      }),
    ),
  );
  const details = found.flatMap((network, index): ErrorDetail[] => {
    const path = `networkIds[${index}]`;
    if (!network)
      return [{ path, message: 'no network has this id: use the id of a network in this workspace' }];
    const { type } = network.spec.chain;
    return isEvmChain(type)
      ? []
      : [{ path, message: `${type} networks cannot be recorded: use EVM networks` }];
  });
  if (details.length === 0) return found.filter((network) => network !== undefined);
  throw refusalWith('the recording cannot be started', details);
}

function hasBegun({ spec, status }: RecordingResource): boolean {
  return spec.networks.every((name) =>
    status?.networks?.some(({ network, state }) => network === name && state),
  );
}

function messageOf(begun: RecordingResource | undefined): string {
  if (!begun)
    return 'the operator is not available: once it is back, it captures what has been sent since the start';
  return begun.status?.message ?? 'recording';
}
