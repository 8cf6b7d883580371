import type { ServerResponse } from 'node:http';
import type { AppError } from '../../../core/lib/errors.ts';
import type { NodePlace } from '../../http/limits/nodePlaces.ts';
import type { NodeWork } from '../../http/limits/nodeWork.ts';
import type { Admitted, GatewayCore } from '../core.ts';
import { whenReady } from './relay.ts';

/** What calls have of their node, or why they do not reach it. */
export interface NodeRoom {
  place?: NodePlace;
  refused?: AppError;
}

/** Waits until the network has a node, and that has room for the calls. */
export async function beginWork(
  core: GatewayCore,
  admitted: Admitted,
  { work, response }: { work: NodeWork; response: ServerResponse },
): Promise<NodeRoom> {
  const verdict = await whenReady(core, admitted, response);
  if (verdict && 'error' in verdict) return { refused: verdict.error };
  const { networkUid, key } = admitted;
  return { place: await core.places.begin({ networkUid, key, work, connection: response }) };
}
