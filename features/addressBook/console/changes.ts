import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useInside } from '../../../console/src/session/context.tsx';
import type { Question } from '../../../console/src/ui/Confirm.tsx';
import { tell } from '../../../console/src/ui/toasts.ts';
import type { AddressName } from '../../../sdk/src/generated/types.ts';
import { bookKey } from './names.ts';
import { texts } from './texts.ts';

/** Reads the book again, after a change. */
export function useReadAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: bookKey });
}

/** What is asked before an address is removed. */
export function useRemoval() {
  const { client } = useInside();
  const readAgain = useReadAgain();
  const [question, setQuestion] = useState<Question>();
  return {
    question,
    close: () => setQuestion(undefined),
    ask: ({ address, name }: AddressName) =>
      setQuestion({
        title: texts.removeTitle(name),
        text: texts.removeText,
        action: texts.remove,
        isDanger: true,
        async run() {
          await client.addresses.remove(address);
          await readAgain();
          tell(texts.removed);
        },
      }),
  };
}
