import { maxReplayData, type ReplayResource } from '../api/resources/replayResource.ts';
import { replayType } from '../api/resources/resources.ts';
import type { RecordedTransaction } from '../api/rest/replay.ts';
import { createOrFind } from '../kube/createOrFind.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { AppError } from '../lib/errors.ts';
import { packLines, unpackLines } from '../lib/json/packedLines.ts';
import { inParallel } from '../lib/work/inParallel.ts';
import { newPiece, pieceNameOf } from './runs.ts';

type Run = Stored<ReplayResource>;

/** Characters of a text before compression, unless a single transaction has more. */
const fullText = 400_000;
/** Texts of a network that are packed and written at the same time. */
const parallelTexts = 4;

/**
 * Stores what a document has of one network, in texts of consecutive transactions. Resolves to their number. Storing it again
 * changes nothing.
 */
export async function storeSource(
  kube: Pick<Kube, 'get' | 'create'>,
  run: Run,
  { id, read }: { id: string; read(): AsyncIterable<readonly RecordedTransaction[]> },
): Promise<number> {
  let count = 0;
  for await (const transactions of read()) {
    await inParallel(textsOf(transactions), parallelTexts, (lines) =>
      storeText(kube, run, { network: id, text: count++, lines }),
    );
  }
  return count;
}

async function storeText(
  kube: Pick<Kube, 'get' | 'create'>,
  run: Run,
  { network, text, lines }: { network: string; text: number; lines: readonly string[] },
): Promise<void> {
  const packed = await packLines(lines);
  for (let index = 0; index * maxReplayData < packed.length; index++) {
    const [from, to] = [index * maxReplayData, (index + 1) * maxReplayData];
    const source = { network, text, index, data: packed.slice(from, to), continues: to < packed.length };
    const name = nameOf(run, { network, text, index });
    await createOrFind(kube, replayType, newPiece(run, name, { role: 'source', source }));
  }
}

/** What `storeSource` stored. Throws Unavailable when a part of it is missing. */
export async function* readSource(
  kube: Pick<Kube, 'get'>,
  run: Run,
  { id: network, texts }: { id: string; texts: number },
): AsyncGenerator<RecordedTransaction[]> {
  const begin = (text: number) => {
    const lines = text < texts ? readText(kube, run, { network, text }) : Promise.resolve([]);
    // A failure is thrown when this part is read.
    lines.catch(() => undefined);
    return lines;
  };
  let next = begin(0);
  for (let text = 0; text < texts; text++) {
    const lines = await next;
    next = begin(text + 1);
    yield lines.map((line): RecordedTransaction => JSON.parse(line));
  }
}

async function readText(
  kube: Pick<Kube, 'get'>,
  run: Run,
  place: { network: string; text: number },
): Promise<string[]> {
  const { namespace } = run.metadata;
  const parts: string[] = [];
  for (;;) {
    const name = nameOf(run, { ...place, index: parts.length });
    const source = (await kube.get(replayType, { namespace, name }))?.spec.source;
    if (!source) throw new AppError('Unavailable', 'a part of the document that is replayed is missing');
    parts.push(source.data);
    if (!source.continues) return unpackLines(parts.join(''));
  }
}

/** Beside the rows of the network. */
const nameOf = (run: Run, { network, text, index }: { network: string; text: number; index: number }) =>
  pieceNameOf(run, network, `s${text}-${index}`);

function* textsOf(transactions: readonly RecordedTransaction[]): Generator<string[]> {
  let lines: string[] = [];
  let length = 0;
  for (const transaction of transactions) {
    const line = JSON.stringify(transaction);
    lines.push(line);
    length += line.length;
    if (length < fullText) continue;
    yield lines;
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield lines;
}
