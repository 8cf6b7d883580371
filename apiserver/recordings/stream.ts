import type { Recording } from '../../core/api/rest/recording.ts';
import { replayVersion } from '../../core/api/rest/replay.ts';
import type { RecordedPart } from '../../core/recordings/parts.ts';
import { joined } from '../http/pipeline/send.ts';

/**
 * Shorter texts wait for more, so that a short answer is known to be whole before anything of it is sent, and a failure
 * is an answer of its own.
 */
const partLength = 64_000;

/** A recording with its captured data as JSON text, in parts. */
export function streamRecording(recording: Recording, parts: readonly RecordedPart[]): AsyncIterable<string> {
  return joined(recordingText(recording, parts), partLength);
}

/** A replay document as JSON text with each member on its own line, in parts. */
export function streamDocument(parts: readonly RecordedPart[]): AsyncIterable<string> {
  return joined(documentText(parts), partLength);
}

async function* recordingText(recording: Recording, parts: readonly RecordedPart[]): AsyncGenerator<string> {
  const { created_at, ...rest } = recording;
  yield `${JSON.stringify(rest).slice(0, -1)},"recorded_data":{"networks":`;
  yield* streamNetworks(parts, { indent: 0, depth: 0 });
  yield `}${created_at === undefined ? '' : `,"created_at":${JSON.stringify(created_at)}`}}`;
}

async function* documentText(parts: readonly RecordedPart[]): AsyncGenerator<string> {
  yield `{\n  "version": ${JSON.stringify(replayVersion)},\n  "networks": `;
  yield* streamNetworks(parts, { indent: 2, depth: 1 });
  yield '\n}\n';
}

/** The layout of `JSON.stringify` with `indent`, at a depth. */
interface Layout {
  indent: number;
  depth: number;
}

async function* streamNetworks(parts: readonly RecordedPart[], layout: Layout): AsyncGenerator<string> {
  const { newLine, colon } = stylesOf(layout);
  if (parts.length === 0) return void (yield '{}');
  for (const [at, part] of parts.entries()) {
    yield `${at === 0 ? '{' : ','}${newLine(1)}${JSON.stringify(part.id)}${colon}`;
    yield* streamNetwork(part, { ...layout, depth: layout.depth + 1 });
  }
  yield `${newLine(0)}}`;
}

async function* streamNetwork(part: RecordedPart, layout: Layout): AsyncGenerator<string> {
  const { newLine, colon } = stylesOf(layout);
  const { chainId, firstBlock, lastBlock } = part;
  for (const [at, [name, value]] of Object.entries({ chainId, firstBlock, lastBlock }).entries()) {
    yield `${at === 0 ? '{' : ','}${newLine(1)}"${name}"${colon}${JSON.stringify(value)}`;
  }
  yield `,${newLine(1)}"transactions"${colon}[`;
  let isEmpty = true;
  for await (const transactions of part.read()) {
    if (transactions.length === 0) continue;
    const texts = transactions.map((transaction) => {
      const text = JSON.stringify(transaction, null, layout.indent);
      return `${newLine(2)}${layout.indent === 0 ? text : text.replaceAll('\n', newLine(2))}`;
    });
    yield `${isEmpty ? '' : ','}${texts.join(',')}`;
    isEmpty = false;
  }
  yield `${isEmpty ? '' : newLine(1)}]${newLine(0)}}`;
}

function stylesOf({ indent, depth }: Layout) {
  const newLine = (more: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * (depth + more))}`);
  return { newLine, colon: indent === 0 ? ':' : ': ' };
}
