import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReplayDocument, ReplayResponse } from '../../../../sdk/src/generated/types.ts';
import { useInside, useKind } from '../../session/context.tsx';

/** A replay of thousands of transactions takes as long as their blocks do. */
const timeoutMs = 3_600_000;

export interface Outcome {
  response: ReplayResponse;
  /** What was recorded, to show it beside the replay. */
  document: ReplayDocument | undefined;
}

/** A dry run, and after it the replay. Another choice needs another dry run. */
export function useReplay(recordingId: string) {
  const { client, signal } = useInside();
  const { objects } = useKind('transaction');
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set());
  const plan = useMutation({
    mutationFn: (networkMapping: Record<string, string>) =>
      client.replays.create({ recordingId, networkMapping, dryRun: true }, { timeoutMs, signal }),
  });
  const run = useMutation({
    mutationFn: async (networkMapping: Record<string, string>): Promise<Outcome> => {
      setBefore(new Set(objects.keys()));
      // Read first: a recording that goes on also records its replay.
      const document = await client.recordings.getDocument(recordingId, { signal }).catch(() => undefined);
      const response = await client.replays.create({ recordingId, networkMapping }, { timeoutMs, signal });
      return { response, document };
    },
  });
  return {
    plan,
    run,
    /** The transactions that were there before the replay. */
    before,
    reset() {
      plan.reset();
      run.reset();
    },
  };
}
