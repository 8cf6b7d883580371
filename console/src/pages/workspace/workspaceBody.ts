import type { WorkspaceInput } from '../../../../sdk/src/generated/types.ts';

/** A workspace as it was typed; without a description when there is none. */
export function bodyOf(name: string, description: string): WorkspaceInput {
  const text = description.trim();
  return { name: name.trim(), ...(text === '' ? {} : { description: text }) };
}
