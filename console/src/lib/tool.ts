import { createStore } from './store.ts';

const item = 'slipway-tool';

/** The tool that the user chose last: its beginning is shown first, on every network. */
export const tool = createStore(localStorage.getItem(item) ?? '');

export function chooseTool(name: string): void {
  localStorage.setItem(item, name);
  tool.set(name);
}
