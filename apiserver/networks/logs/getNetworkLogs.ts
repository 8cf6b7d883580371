import { idOf } from '../../../core/api/views/networkView.ts';
import type { PodLogOptions, Stored } from '../../../core/kube/kube.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { NetworkDeps } from '../deps.ts';
import { createLineRedactor } from './lineRedactor.ts';
import type { LogStream } from './logStreams.ts';
import { podOf } from './podOf.ts';
import { isProbed, tailWithProbes, withoutProbes } from './probeLines.ts';

const defaultTail = 1000;
const limitBytes = 8 * 1024 * 1024;

/** The log of one part of a network. Neither wakes the network nor counts as activity. */
export function getNetworkLogs(deps: NetworkDeps): Handler<'getNetworkLogs'> {
  return async ({ principal, params, query }) => {
    const network = await deps.find(principal.namespace, params.id);
    const { service, follow, tail = defaultTail } = query ?? {};
    const isFollowed = follow === 'true';
    const { userId: account, workspaceId: workspace } = principal;
    const stream = deps.logStreams.open({ account, network: network.metadata.uid, workspace });
    try {
      const pod = await podOf(deps.kube, network, service);
      const [engine] = pod.spec.containers;
      const open = (options: Pick<PodLogOptions, 'isFollowed' | 'tailLines'>) =>
        openLog(deps, pod, {
          ...{ ...options, signal: stream.signal },
          ...(engine ? { container: engine.name } : {}),
          ...(options.isFollowed ? {} : { limitBytes }),
        });
      const readTail = (tailLines: number) => open({ isFollowed: false, tailLines });
      const tailLines = isProbed(pod) ? await tailWithProbes(tail, limitBytes, readTail) : tail;
      return {
        text: endingWith(stream, await open({ isFollowed, tailLines })),
        objects: [`network ${network.metadata.name} (${idOf(network)})`],
      };
    } catch (error) {
      stream.end();
      throw error;
    }
  };
}

function openLog({ openPodLog }: NetworkDeps, pod: Stored<Pod>, options: PodLogOptions) {
  return forCaller(openPodLog(pod.metadata, options)).catch((error: unknown) => {
    throw isAppError(error, 'BadRequest') ? notStarted(error) : error;
  });
}

/** kube-apiserver has no log of a container that has never run. */
function notStarted(cause: AppError): AppError {
  return new AppError('Conflict', `the process has not started, so there is no log yet: ${cause.message}`, {
    cause,
  });
}

/**
 * The text without secrets and without the lines of liveness checks, which frees its place when it ends or is returned. Unlike a generator, it can be returned
 * while it waits: the next line may never come. A source that breaks ends the text, because the client has had a part of it.
 */
function endingWith(stream: LogStream, lines: AsyncIterable<string>): AsyncIterable<string> {
  const source = lines[Symbol.asyncIterator]();
  const redactor = createLineRedactor();

  async function next(): Promise<IteratorResult<string>> {
    const part = await source.next().catch(() => over);
    if (part.done) stream.end();
    const value = withoutProbes(part.done ? redactor.end() : redactor.push(part.value));
    if (value !== '') return { value, done: false };
    return part.done ? over : next();
  }

  return {
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        stream.end();
        return over;
      },
    }),
  };
}

const over = { value: undefined, done: true } as const;
