import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isNode, LineCounter, parseAllDocuments, visit } from 'yaml';
import { messageOf } from '../../core/lib/errors.ts';
import { exactNumber } from '../../core/lib/json/exactNumber.ts';
import { readText } from '../io/input.ts';
import type { Io } from '../io/io.ts';
import { fail } from '../lib/failure.ts';
import { at, isMembers, listAt, textAt, textsAt } from '../lib/values.ts';
import { unknownKind } from './kinds.ts';
import type { Manifest } from './manifest.ts';
import { type Problem, problemIn, wrongAt } from './problems.ts';

const group = 'slipway.dev/';
const version = `${group}v1alpha1`;

/** What was read: objects, and what is wrong with others. */
export interface Reading {
  manifests: Manifest[];
  problems: Problem[];
}

/** The objects of files, of standard input (`-`), and of all YAML and JSON files in folders, in order. */
export async function readManifests(io: Io, paths: readonly string[]): Promise<Reading> {
  if (paths.length === 0) throw fail('usage', 'The manifest is missing.', 'Add -f FILE, -f FOLDER or -f -.');
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const found: Reading = { manifests: [], problems: [] };
  for (const file of files) parseManifests(found, await readText(io, file), file === '-' ? 'stdin' : file);
  if (found.manifests.length + found.problems.length === 0)
    throw fail('usage', `There is no object in ${paths.join(', ')}.`, 'Add a manifest.');
  refuseRepeated(found);
  return found;
}

/** Works on a document. What is wrong with it is kept, so that all others are looked at as well. */
function attempt(found: Reading, work: () => void): void {
  try {
    work();
  } catch (error) {
    found.problems.push(problemIn(error, nextPosition(found)));
  }
}

const nextPosition = ({ manifests, problems }: Reading) => manifests.length + problems.length;

async function filesOf(path: string): Promise<string[]> {
  const isFolder = path !== '-' && (await stat(path).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [path];
  const names = (await readdir(path)).filter((name) => /\.(ya?ml|json)$/.test(name)).sort();
  return names.map((name) => join(path, name));
}

/** The objects in a text of any number of YAML documents, or one of JSON. */
function parseManifests(found: Reading, text: string, file: string): void {
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter, prettyErrors: false });
  if (!Array.isArray(documents)) return;
  for (const document of documents) {
    attempt(found, () => {
      const value = readValue(document, lineCounter, file);
      if (value === null || value === undefined) return;
      const start = isMap(document.contents) ? (document.contents.range?.[0] ?? 0) : 0;
      const source: Source = {
        file,
        place: `${file}:${lineCounter.linePos(start).line}`,
        lineOf: (path) => lineIn(document, lineCounter, path),
      };
      for (const [object, within] of objectsOf(value, source)) addObject(found, object, within);
    });
  }
}

function readValue(document: Document, lineCounter: LineCounter, file: string): unknown {
  const [error] = document.errors;
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw wrongAt(`${file}:${line}`, `this is not YAML: ${error.message}.`, 'Correct the file.');
  }
  keepDigits(document);
  return valueIn(document, file);
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

type Source = Pick<Manifest, 'file' | 'place' | 'lineOf'>;

/** A document alone, or the items of a list of them. */
function objectsOf(value: unknown, source: Source): [unknown, Source][] {
  if (textAt(value, 'kind') !== 'List') return [[value, source]];
  const within = { ...source, lineOf: () => undefined };
  return listAt(value, 'items').flatMap((item) => objectsOf(item, within));
}

/** The line of the longest part of a path that the document has. */
function lineIn(document: Document, lines: LineCounter, path: string): number | undefined {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  for (let length = steps.length; length > 0; length -= 1) {
    const node = document.getIn(steps.slice(0, length).map(stepOf), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

const stepOf = (step: string) => (/^\d+$/.test(step) ? Number(step) : step);

/** Adds an object, or everything that is wrong with it. */
function addObject(found: Reading, value: unknown, source: Source): void {
  const position = nextPosition(found);
  const problems = mistakesIn(value, source.place).map((error) => problemIn(error, position));
  found.problems.push(...problems);
  const spec = at(value, 'spec');
  if (problems.length > 0 || !isMembers(spec)) return;
  const [kind, name] = [textAt(value, 'kind'), textAt(value, 'metadata.name')];
  const labels = ownLabels(textsAt(value, 'metadata.labels'));
  found.manifests.push({ ...source, kind, name, spec, labels, position });
}

function mistakesIn(value: unknown, place: string): Error[] {
  const kind = textAt(value, 'kind');
  if (!isMembers(value) || !kind)
    return [wrongAt(place, 'this is not an object with a kind.', 'Write kind: Network.')];
  const given = textAt(value, 'apiVersion');
  if (given !== version) {
    const remedy = given.startsWith(group) ? `Write ${version}.` : `Apply this ${kind} with kubectl.`;
    return [wrongAt(place, `apiVersion is "${given}", and only ${version} is known.`, remedy)];
  }
  const name = textAt(value, 'metadata.name');
  const mistakes = [
    unknownKind({ kind, place }),
    !name && wrongAt(place, 'metadata.name is missing.', 'Objects are found again by their names.'),
    !isMembers(at(value, 'spec')) && wrongAt(place, 'spec is missing.', 'Add it.'),
  ];
  return mistakes.filter((mistake) => mistake instanceof Error);
}

/** Without those that Slipway sets itself, which `kubectl get -o yaml` shows and REST keeps for itself. */
const ownLabels = (labels: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !key.startsWith(`${group}`)));

function refuseRepeated({ manifests, problems }: Reading): void {
  const places = new Map<string, string>();
  for (const { kind, name, place, position } of manifests) {
    const key = `${kind}/${name}`;
    const other = places.get(key);
    const message = `${key} is in ${other} and in ${place}.`;
    if (other)
      problems.push({ position, exit: 'usage', path: '', message, remedy: 'Leave one of them out.' });
    places.set(key, place);
  }
}
