import { operations } from '../../core/api/operations/operations.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { readLabel } from '../../core/api/userLabels.ts';
import { addressSchema } from '../../core/api/values.ts';
import { describeRecording, networkIdsOf, stateOf, toRecording } from '../../core/api/views/recordingView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { openParts } from '../../core/recordings/parts.ts';
import { matcherOf, parseSelector } from '../http/paging/selector.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { forCallers } from '../store/kubeErrors.ts';
import type { RecordingDeps } from './deps.ts';
import { streamDocument, streamRecording } from './stream.ts';

/** One recording with all data captured so far. */
export function getRecording(deps: RecordingDeps): Handler<'getRecording'> {
  return async ({ principal, params }) => {
    const resource = await deps.find(principal.namespace, params.id);
    const parts = await openParts(forCallers(deps.kube), resource);
    return {
      stream: streamRecording(toRecording(resource, deps.networks), parts),
      objects: [describeRecording(resource)],
    };
  };
}

/** All recordings of the workspace, newest first. */
export function listRecordings(deps: RecordingDeps): Handler<'listRecordings'> {
  return async ({ principal, query }) => {
    const { userAddress, state, networkId, selector } = query ?? {};
    const { selectable } = operations.listRecordings;
    const matches = matcherOf(selector ? parseSelector(selector, selectable) : []);
    const found = newestFirst(deps.cache.inNamespace(principal.namespace)).filter(
      (resource) =>
        (userAddress === undefined || isOf(resource, userAddress)) &&
        (state === undefined || stateOf(resource) === state) &&
        (networkId === undefined || networkIdsOf(resource, deps.networks).includes(networkId)) &&
        matches((field) => readField(resource, field)),
    );
    return {
      body: found.map((resource) => toRecording(resource, deps.networks)),
      objects: [],
      warning: userAddress === undefined ? undefined : warningAbout(userAddress),
    };
  };
}

/** Active recordings of one wallet, newest first. */
export function listActiveRecordings(deps: RecordingDeps): Handler<'listActiveRecordings'> {
  return async ({ principal, params }) => {
    const found = newestFirst(deps.cache.inNamespace(principal.namespace)).filter(
      (resource) => isOf(resource, params.userAddress) && stateOf(resource) === 'recording',
    );
    return {
      body: found.map((resource) => toRecording(resource, deps.networks)),
      objects: [],
      warning: warningAbout(params.userAddress),
    };
  };
}

/** The contract has no error here for a text that is not an address. */
function warningAbout(address: string): string | undefined {
  const { success } = addressSchema.safeParse(address);
  return success ? undefined : 'userAddress is not an address, so it has no recordings';
}

/**
 * A recording as a document to store: the same recording results in the same text, with each member on its own line,
 * so that a version control system can show changes.
 */
export function getRecordingDocument(deps: RecordingDeps): Handler<'getRecordingDocument'> {
  return async ({ principal, params }) => {
    const resource = await deps.find(principal.namespace, params.id);
    const parts = await openParts(forCallers(deps.kube), resource);
    return { stream: streamDocument(parts), objects: [describeRecording(resource)] };
  };
}

function readField(resource: Stored<RecordingResource>, field: string): string | undefined {
  return field === 'metadata.name' ? resource.metadata.name : readLabel(resource, field);
}

/** Addresses are compared case-insensitively. */
function isOf({ spec }: Stored<RecordingResource>, address: string): boolean {
  return spec.userAddress.toLowerCase() === address.toLowerCase();
}

/** Recordings created in the same second are ordered by name. */
function newestFirst(recordings: readonly Stored<RecordingResource>[]): Stored<RecordingResource>[] {
  const keyOf = ({ metadata }: Stored<RecordingResource>) => `${metadata.creationTimestamp} ${metadata.name}`;
  return recordings.toSorted((a, b) => (keyOf(a) > keyOf(b) ? -1 : 1));
}
