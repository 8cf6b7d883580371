import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { encodedEndings } from '../../apiserver/console/files.ts';

/** What vite writes about its output. */
export type Manifest = Record<
  string,
  {
    file: string;
    isEntry?: boolean;
    imports?: string[];
    dynamicImports?: string[];
    css?: string[];
  }
>;

const kb = 1000;
/** Compressed bytes. A change that needs more has to say why. */
const budgets = {
  firstScripts: 190 * kb,
  firstStyles: 15 * kb,
  route: 60 * kb,
  // What a page loads later, such as the picture of connections.
  part: 75 * kb,
  all: 600 * kb,
};

/** The compressed size of each file. */
export function readSizes(folder: string): Map<string, number> {
  const files = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith(encodedEndings.gzip));
  return new Map(
    files.map((name) => [
      `assets/${name.slice(0, -encodedEndings.gzip.length)}`,
      statSync(join(folder, 'assets', name)).size,
    ]),
  );
}

/** A sentence for each budget that is exceeded. */
export function budgetsExceeded(manifest: Manifest, sizes: ReadonlyMap<string, number>): string[] {
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
  const first = filesOf(manifest, [entry]);
  const sum = (files: Iterable<string>) =>
    [...files].reduce((total, file) => total + (sizes.get(file) ?? 0), 0);
  const styles = [...first].filter((file) => file.endsWith('.css'));
  const scripts = [...first].filter((file) => file.endsWith('.js'));
  const routes = (manifest[entry]?.dynamicImports ?? []).map(
    (name) =>
      [
        `the route ${name}`,
        sum([...filesOf(manifest, [name])].filter((file) => !first.has(file))),
        budgets.route,
      ] as const,
  );
  const parts = (manifest[entry]?.dynamicImports ?? []).flatMap((route) => {
    const loaded = new Set([...first, ...filesOf(manifest, [route])]);
    const names = [...reachedFrom(manifest, [route])].flatMap((name) => manifest[name]?.dynamicImports ?? []);
    return names.map((name) => {
      const files = [...filesOf(manifest, [name])].filter((file) => !loaded.has(file));
      return [`the part ${name} of ${route}`, sum(files), budgets.part] as const;
    });
  });
  const measured = [
    ['the scripts of the first load', sum(scripts), budgets.firstScripts] as const,
    ['the styles of the first load', sum(styles), budgets.firstStyles] as const,
    ...routes,
    ...parts,
    ['the whole console', sum(sizes.keys()), budgets.all] as const,
  ];
  return measured
    .filter(([, size, budget]) => size > budget)
    .map(([what, size, budget]) => `${what}: ${size} bytes compressed, the budget is ${budget}`);
}

/** What a browser loads for these parts. */
function filesOf(manifest: Manifest, names: string[]): Set<string> {
  const parts = [...reachedFrom(manifest, names)].map((name) => manifest[name]);
  return new Set(parts.flatMap((part) => (part ? [part.file, ...(part.css ?? [])] : [])));
}

/** These parts and what they import. */
function reachedFrom(manifest: Manifest, names: string[]): Set<string> {
  const reached = new Set(names);
  for (const name of reached) for (const one of manifest[name]?.imports ?? []) reached.add(one);
  return reached;
}
