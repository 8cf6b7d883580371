import { maxReplayData, type ReplayResource } from '../api/resources/replayResource.ts';
import { replayType } from '../api/resources/resources.ts';
import type { RecordedTransaction } from '../api/rest/replay.ts';
import { createOrFind } from '../kube/createOrFind.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { AppError } from '../lib/errors.ts';
import { packLines } from '../lib/json/packedLines.ts';
import { unpackChunks } from '../recordings/recordedLines.ts';
import { newPiece, pieceNameOf } from './runs.ts';

type Run = Stored<ReplayResource>;

/** Text before compression that goes into an object, unless a single transaction has more. */
const fullText = 400_000;

/** Stores what a document has of one network. Resolves to the number of objects. Storing it again changes nothing. */
export async function storeSource(
  kube: Pick<Kube, 'get' | 'create'>,
  run: Run,
  { id, read }: { id: string; read(): AsyncIterable<readonly RecordedTransaction[]> },
): Promise<number> {
  let count = 0;
  for await (const lines of textsOf(read())) {
    const packed = await packLines(lines);
    for (let at = 0; at < packed.length; at += maxReplayData) {
      const end = at + maxReplayData;
      const source = {
        network: id,
        index: count,
        data: packed.slice(at, end),
        continues: end < packed.length,
      };
      const name = nameOf(run, id, count);
      await createOrFind(kube, replayType, newPiece(run, name, { role: 'source', source }));
      count += 1;
    }
  }
  return count;
}

/** What `storeSource` stored in `pieces` objects. Throws Unavailable when one is missing. */
export async function* readSource(
  kube: Pick<Kube, 'get'>,
  run: Run,
  { id, pieces }: { id: string; pieces: number },
): AsyncGenerator<RecordedTransaction[]> {
  let open: { data: string; continues?: boolean | undefined }[] = [];
  for (let index = 0; index < pieces; index++) {
    const { namespace } = run.metadata;
    const found = await kube.get(replayType, { namespace, name: nameOf(run, id, index) });
    const source = found?.spec.source;
    if (!source) throw new AppError('Unavailable', 'a part of the document that is replayed is missing');
    open.push(source);
    if (source.continues) continue;
    const lines = await unpackChunks(open);
    open = [];
    yield lines.map((line): RecordedTransaction => JSON.parse(line));
  }
}

/** Beside the rows of the network. */
const nameOf = (run: Run, network: string, index: number) => pieceNameOf(run, network, `s${index}`);

async function* textsOf(
  groups: AsyncIterable<readonly RecordedTransaction[]>,
): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let length = 0;
  for await (const transactions of groups) {
    for (const transaction of transactions) {
      const line = JSON.stringify(transaction);
      lines.push(line);
      length += line.length;
      if (length < fullText) continue;
      yield lines;
      [lines, length] = [[], 0];
    }
  }
  if (lines.length > 0) yield lines;
}
