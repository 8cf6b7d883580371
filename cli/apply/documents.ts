import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, LineCounter, parseAllDocuments, visit } from 'yaml';
import { messageOf } from '../../core/lib/errors.ts';
import { exactNumber } from '../../core/lib/json/exactNumber.ts';
import { readText } from '../io/input.ts';
import type { Io } from '../io/io.ts';
import { fail } from '../lib/failure.ts';
import { at, isMembers, listAt, type Members, textAt, textsAt } from '../lib/values.ts';

/** One object of a manifest, as kubectl takes it. */
export interface Manifest {
  kind: string;
  name: string;
  labels: Record<string, string>;
  spec: Members;
  /** File and line, for messages. */
  place: string;
}

const group = 'slipway.dev/';

/** The objects of files, of standard input (`-`), and of all YAML and JSON files in folders, in order. */
export async function readManifests(io: Io, paths: readonly string[]): Promise<Manifest[]> {
  if (paths.length === 0) throw fail('usage', 'The manifest is missing.', 'Add -f FILE, -f FOLDER or -f -.');
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const manifests: Manifest[] = [];
  for (const file of files)
    manifests.push(...parseManifests(await readText(io, file), file === '-' ? 'stdin' : file));
  if (manifests.length === 0)
    throw fail('usage', `There is no object in ${paths.join(', ')}.`, 'Add a manifest.');
  refuseRepeated(manifests);
  return manifests;
}

async function filesOf(path: string): Promise<string[]> {
  const isFolder = path !== '-' && (await stat(path).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  return names.map((name) => join(path, name));
}

/** The objects in a text of any number of YAML documents, or one of JSON. */
function parseManifests(text: string, file: string): Manifest[] {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error) {
      const { line } = lineCounter.linePos(error.pos[0]);
      throw fail('usage', `${file}:${line}: this is not YAML: ${error.message}.`, 'Correct the file.');
    }
    const start = isMap(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
    keepDigits(document);
    const value = valueIn(document, file);
    if (value === null || value === undefined) return [];
    return objectsOf(value, `${file}:${lineCounter.linePos(start).line}`);
  });
}

/** Whether aliases lead anywhere, and not back to themselves, is only found out here. */
function valueIn(document: Document, file: string): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    JSON.stringify(value);
    return value;
  } catch (error) {
    const [why] = messageOf(error).split('\n');
    throw fail('usage', `${file} cannot be read: ${why}.`, 'Correct its anchors and aliases.');
  }
}

/** As in JSON that the service reads: a number that a double would change is its own text. */
function keepDigits(document: Document): void {
  visit(document, {
    Scalar(_key, scalar) {
      const { value, source = '' } = scalar;
      if (typeof value === 'number' && /^-?[\d.]{16,}(e[-+]?\d+)?$/i.test(source))
        scalar.value = exactNumber(value, source);
    },
  });
}

function objectsOf(value: unknown, place: string): Manifest[] {
  if (textAt(value, 'kind') === 'List')
    return listAt(value, 'items').flatMap((item) => objectsOf(item, place));
  return [manifestOf(value, place)];
}

function manifestOf(value: unknown, place: string): Manifest {
  const kind = textAt(value, 'kind');
  if (!isMembers(value) || !kind)
    throw fail('usage', `${place}: this is not an object with a kind.`, 'Write kind: Network.');
  const version = textAt(value, 'apiVersion');
  if (!version.startsWith(group)) {
    throw fail(
      'usage',
      `${place}: apiVersion is "${version}", and only slipway.dev/v1alpha1 is known.`,
      `kind: ${kind}`,
    );
  }
  const name = textAt(value, 'metadata.name');
  if (!name)
    throw fail('usage', `${place}: metadata.name is missing.`, 'Objects are found again by their names.');
  const spec = at(value, 'spec');
  if (!isMembers(spec)) throw fail('usage', `${place}: spec is missing.`, `${kind} "${name}" needs a spec.`);
  return { kind, name, spec, place, labels: textsAt(value, 'metadata.labels') };
}

function refuseRepeated(manifests: readonly Manifest[]): void {
  const places = new Map<string, string>();
  for (const { kind, name, place } of manifests) {
    const key = `${kind}/${name}`;
    const other = places.get(key);
    if (other) throw fail('usage', `${key} is in ${other} and in ${place}.`, 'Leave one of them out.');
    places.set(key, place);
  }
}
