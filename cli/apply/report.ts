import type { Ui } from '../io/ui.ts';
import { changeLines } from './changes.ts';
import type { Step } from './plan.ts';

const past = { create: 'created', update: 'updated', unchanged: 'unchanged' } as const;
const future = { create: 'would be created', update: 'would be updated', unchanged: 'unchanged' } as const;

/** `network/a`, as kubectl names objects. */
export function titleOf({ kind, manifest }: Pick<Step, 'kind' | 'manifest'>): string {
  return `${kind.kind.toLowerCase()}/${manifest.name}`;
}

/** One line for a step that was carried out. */
export function reportDone(ui: Ui, step: Step, object: unknown): void {
  const { action, manifest } = step;
  ui.item(
    { kind: manifest.kind, name: manifest.name, action: past[action], object },
    `${titleOf(step)} ${past[action]}`,
  );
}

/** What a step would do, with the fields that differ. */
export function reportPlanned(ui: Ui, step: Step): void {
  const { action, manifest, changes, kind } = step;
  const shown = changes.map((change) =>
    kind.hidden?.includes(change.path) ? { path: change.path } : change,
  );
  const lines = action === 'unchanged' ? [] : changeLines(changes, kind.hidden).map((line) => `  ${line}`);
  const text = [`${titleOf(step)} ${future[action]}`, ...lines].join('\n');
  ui.item({ kind: manifest.kind, name: manifest.name, action, changes: shown }, text);
}
