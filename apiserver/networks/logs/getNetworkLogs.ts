import { describeNetwork } from '../../../core/api/views/networkView.ts';
import type { PodLogOptions, Stored } from '../../../core/kube/kube.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import { redactBounded } from '../../../core/lib/redact.ts';
import { createLineReader } from '../../../core/lib/text/lines.ts';
import type { Handler } from '../../http/pipeline/handler.ts';
import { forCaller } from '../../store/kubeErrors.ts';
import type { NetworkDeps } from '../deps.ts';
import type { LogStream } from './logStreams.ts';
import { createOwnLines, isProbed, tailWithOwnLines } from './ownLines.ts';
import { podOf } from './podOf.ts';

const defaultTail = 1000;
const limitBytes = 8 * 1024 * 1024;
/** What opening a log costs beyond one request: kube-apiserver and the kubelet do most of the work. */
const openingCosts = 4;

/** The log of one part of a network. Neither wakes the network nor counts as activity. */
export function getNetworkLogs(deps: NetworkDeps): Handler<'getNetworkLogs'> {
  return async ({ principal, params, query, charge }) => {
    const network = await deps.find(principal.namespace, params.id);
    const { service, follow, tail = defaultTail } = query ?? {};
    const isFollowed = follow === 'true';
    const stream = deps.logStreams.open({ principal, network: network.metadata.uid });
    charge(openingCosts);
    try {
      const pod = await podOf(deps.kube, network, service);
      const [engine] = pod.spec.containers;
      const open = (options: Pick<PodLogOptions, 'isFollowed' | 'tailLines'>) =>
        openLog(deps, pod, {
          ...options,
          signal: stream.signal,
          ...(engine ? { container: engine.name } : {}),
          ...(options.isFollowed ? {} : { limitBytes }),
        });
      const readTail = (tailLines: number) => open({ isFollowed: false, tailLines });
      const { lines, left } = isProbed(pod)
        ? await tailWithOwnLines(tail, limitBytes, readTail)
        : { lines: tail, left: 0 };
      return {
        text: endingWith(stream, await open({ isFollowed, tailLines: lines }), left),
        objects: [describeNetwork(network)],
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
 * The text in whole lines, without secrets and without the lines of Slipway's own calls; long lines are cut as they are read. It frees its
 * place when it ends or is returned. Unlike a generator, it can be returned while it waits: the next line may never come. A
 * source that breaks ends the text, because the client has had a part of it.
 */
function endingWith(stream: LogStream, pieces: AsyncIterable<string>, left: number): AsyncIterable<string> {
  const source = pieces[Symbol.asyncIterator]();
  const reader = createLineReader();
  const own = createOwnLines(left);
  const textOf = (lines: readonly string[], lineEnd: string) =>
    redactBounded(
      lines
        .filter((line) => !own.has(line))
        .map((line) => `${line}${lineEnd}`)
        .join(''),
    );

  /** The text that the next piece completes. */
  async function take(): Promise<{ text: string; isLast: boolean }> {
    const piece = await source.next().catch(() => over);
    if (!piece.done) return { text: textOf(reader.push(piece.value), '\n'), isLast: false };
    stream.end();
    return { text: textOf(reader.end(), ''), isLast: true };
  }

  async function next(): Promise<IteratorResult<string>> {
    for (;;) {
      const { text, isLast } = await take();
      if (text !== '') return { value: text, done: false };
      if (isLast) return over;
    }
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
