import type { Clock } from '../../lib/clock.ts';
import { compact } from '../../lib/compact.ts';
import { AppError, isAppError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { backoffMs } from '../../lib/work/backoff.ts';
import type {
  Kube,
  KubeObject,
  ListOptions,
  ListPage,
  ObjectRef,
  OpenPodLog,
  PodLogOptions,
  ResourceType,
  Stored,
  WatchEvent,
  WatchOptions,
} from '../kube.ts';
import type { KubeMetrics } from '../metrics.ts';
import { podType } from '../types.ts';
import { isObjectMissing, quotaBusy } from './apiError.ts';
import { createConnection } from './connection.ts';
import { collectionPath, creationPath, listQuery, objectPath, queryString } from './paths.ts';
import { createServerClock } from './serverClock.ts';
import { createTransport, statusOf, type Transport } from './transport.ts';
import { linesOf, parseWatchLine } from './watchStream.ts';

export interface KubeOptions {
  /** When absent: $KUBECONFIG, ~/.kube/config, or the pod's service account, as kubectl does. */
  kubeconfigPath?: string;
  log: Log;
  clock: Clock;
  kubeMetrics?: KubeMetrics;
  /** Deadline of a request, and of the start of a watch; 10 s when absent. */
  requestTimeoutMs?: number;
  /** Its part before the slash is the field manager of creates, replaces and patches. */
  userAgent?: string;
}

export interface KubeClient extends Kube {
  openPodLog: OpenPodLog;
  /** The number of requests in flight, without watches and logs. */
  inFlight(): number;
  /** Closes all connections, including those of watches. */
  close(): Promise<void>;
}

/** Together a second and a half. */
const maxQuotaRetries = 6;
const mergePatch = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
/** Warnings about unknown or repeated members are not read, and looking for them makes kube-apiserver parse an apply twice. */
const unwarned = '?fieldValidation=Ignore';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
// The server ends a watch after a random time in this range: the watches of all processes do not restart together.
const watchSeconds = { min: 300, spread: 300 };

/** A Kube that talks to kube-apiserver; connections are opened with the first request. */
export function createKube(options: KubeOptions): KubeClient {
  const { kubeconfigPath, log, clock, kubeMetrics } = options;
  const connection = createConnection({
    log,
    clock,
    ...compact({ kubeconfigPath: kubeconfigPath || undefined }),
  });
  const serverClock = createServerClock();
  const transport = createTransport({
    connection,
    clock,
    serverClock,
    requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
    userAgent: options.userAgent ?? 'slipway',
    ...compact({ kubeMetrics }),
  });
  return {
    ...reads(transport),
    ...writes(transport, clock),
    openPodLog: (ref, options) => openPodLog(transport, ref, options),
    async serverTimeMs() {
      const knownMs = serverClock.nowMs();
      if (knownMs !== undefined) return knownMs;
      await transport.send({ verb: 'get', method: 'GET', path: '/version' });
      const nowMs = serverClock.nowMs();
      if (nowMs === undefined)
        throw new AppError('Unavailable', 'kube-apiserver did not send a valid Date header');
      return nowMs;
    },
    inFlight: transport.inFlight,
    close: () => connection.close(),
  };
}

function reads(transport: Transport): Pick<Kube, 'get' | 'list' | 'watch'> {
  return {
    async get<T extends KubeObject>(type: ResourceType<T>, ref: { namespace?: string; name: string }) {
      const { statusCode, json } = await transport.send(
        { verb: 'get', method: 'GET', path: objectPath(type, ref), type },
        true,
      );
      if (statusCode !== 404) return typed(type, json);
      if (isObjectMissing(statusOf(json))) return undefined;
      throw new AppError('NotFound', `kube-apiserver does not serve ${type.plural}.${type.group || 'core'}`);
    },
    async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}) {
      const { json } = await transport.send({
        verb: 'list',
        method: 'GET',
        path: `${collectionPath(type, options.namespace)}${listQuery(options)}`,
        type,
        ...(options.isMetadataOnly ? { accept: metadataList } : {}),
      });
      return pageOf(type, json);
    },
    watch: (type, options) => watch(transport, type, options),
  };
}

function writes(
  transport: Transport,
  clock: Clock,
): Pick<Kube, 'create' | 'replace' | 'apply' | 'patch' | 'delete'> {
  const write = async <T extends KubeObject>(
    type: ResourceType<T>,
    request: Parameters<Transport['send']>[0],
  ) => typed(type, (await transport.send({ ...request, type })).json);
  return {
    async create(type, object) {
      const path = `${creationPath(type, object.metadata.namespace)}${unwarned}`;
      const request = { verb: 'create', method: 'POST', path, type, body: object } as const;
      return typed(type, (await whenQuotaIsFree(clock, () => transport.send(request))).json);
    },
    async replace(type, object, subresource) {
      const path = `${objectPath(type, object.metadata, subresource)}${unwarned}`;
      return write(type, { verb: 'replace', method: 'PUT', path, body: object });
    },
    async apply(type, object, { fieldManager, subresource }) {
      const query = `${unwarned}&${new URLSearchParams({ fieldManager, force: 'true' })}`;
      const path = `${objectPath(type, object.metadata, subresource)}${query}`;
      return write(type, {
        verb: 'apply',
        method: 'PATCH',
        path,
        body: object,
        contentType: applyPatch,
      });
    },
    async patch(type, ref, ...[patch, subresource]) {
      const path = `${objectPath(type, ref, subresource)}${unwarned}`;
      return write(type, { verb: 'patch', method: 'PATCH', path, body: patch, contentType: mergePatch });
    },
    async delete(type, ref, options = {}) {
      const { uid, resourceVersion, ...rest } = options;
      const preconditions = uid || resourceVersion ? { preconditions: { uid, resourceVersion } } : {};
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...rest, ...preconditions };
      const path = objectPath(type, ref);
      const answer = await transport.send({ verb: 'delete', method: 'DELETE', path, type, body }, true);
      if (answer.statusCode !== 404) return true;
      if (isObjectMissing(statusOf(answer.json))) return false;
      throw new AppError('NotFound', `kube-apiserver does not serve ${type.plural}.${type.group || 'core'}`);
    },
  };
}

/** Creates again while many objects of a namespace are created at once; the server itself tries only three times. */
async function whenQuotaIsFree<T>(clock: Clock, create: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await create();
    } catch (error) {
      const isBusy = isAppError(error, 'Unavailable') && error.message === quotaBusy;
      if (!isBusy || failures > maxQuotaRetries) throw error;
      await clock.sleep(backoffMs(failures, { baseMs: 20, maxMs: 500 }));
    }
  }
}

async function* watch<T extends KubeObject>(
  transport: Transport,
  type: ResourceType<T>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  const { namespace, signal, ...selection } = options;
  const timeoutSeconds = Math.round(watchSeconds.min + Math.random() * watchSeconds.spread);
  const query = queryString({ ...selection, watch: true, allowWatchBookmarks: true, timeoutSeconds });
  const path = `${collectionPath(type, namespace)}${query}`;
  try {
    const body = await transport.open({ verb: 'watch', method: 'GET', path, type }, signal);
    for await (const line of linesOf(body)) {
      const event = parseWatchLine(type, line);
      yield event.type === 'BOOKMARK' ? event : { ...event, object: typed(type, event.object) };
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof AppError) throw error;
    throw new AppError('Unavailable', 'watch: the connection was cut', {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
}

function openPodLog(
  transport: Transport,
  ref: ObjectRef,
  { container, isFollowed, tailLines, limitBytes, signal }: PodLogOptions,
): Promise<AsyncIterable<string>> {
  const query = queryString({ container, follow: isFollowed, tailLines, limitBytes });
  const path = `${objectPath(podType, ref, 'log')}${query}`;
  return transport.open({ verb: 'log', method: 'GET', path, type: podType, accept: '*/*' }, signal);
}

/** Lists of built-in kinds omit apiVersion and kind of their items. */
function typed<T extends KubeObject>(type: ResourceType<T>, json: unknown): Stored<T> {
  if (typeof json !== 'object' || json === null) {
    throw new AppError('Unavailable', 'kube-apiserver answered with something that is not an object');
  }
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return Object.assign(json, { apiVersion, kind: type.kind }) as unknown as Stored<T>;
}

function pageOf<T extends KubeObject>(type: ResourceType<T>, json: unknown): ListPage<T> {
  const list = json as {
    items?: unknown[] | null;
    metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number };
  };
  const { resourceVersion, continue: continueToken, remainingItemCount: remaining } = list?.metadata ?? {};
  if (resourceVersion === undefined) {
    throw new AppError('Unavailable', 'kube-apiserver answered with something that is not a list');
  }
  const items = (list.items ?? []).map((item) => typed(type, item));
  return {
    items,
    resourceVersion,
    ...compact({ continueToken: continueToken || undefined, remaining }),
  };
}
