import { adminNode } from '../sdk/src/adminNode.ts';
import type { ToolContext } from './tool.ts';

/** The node as the admin URL reaches it. Throws Error with who has one. */
export async function requireAdminNode({ client, signal }: ToolContext, id: string) {
  const node = await adminNode(client, id, signal);
  if (node) return node;
  throw new Error('there is no admin URL: the key may not write networks, or the network runs real clients');
}
