import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useInside } from '../../../console/src/session/context.tsx';
import type { Question } from '../../../console/src/ui/Confirm.tsx';
import { tell } from '../../../console/src/ui/toasts.ts';
import { texts } from './texts.ts';

export const keysKey = (network: string) => ['rpc-keys', network];

/** The keys of a network. It does not wake it. */
export function useKeys(network: string) {
  const { client } = useInside();
  return useQuery({
    queryKey: keysKey(network),
    queryFn: ({ signal }) => client.networks.listKeys(network, { signal }),
  });
}

/** What is asked before a key is revoked. */
export function useRevoke(network: string) {
  const { client } = useInside();
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question>();
  return {
    question,
    close: () => setQuestion(undefined),
    ask: (name: string) =>
      setQuestion({
        title: texts.revokeTitle(name),
        text: texts.revokeText,
        action: texts.revoke,
        isDanger: true,
        async run() {
          await client.networks.revokeKey({ id: network, name });
          await queries.invalidateQueries({ queryKey: keysKey(network) });
          tell(texts.revoked);
        },
      }),
  };
}
