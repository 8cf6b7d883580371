import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { collect } from '../../../console/src/lib/collect.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import type { Webhook } from '../../../sdk/src/generated/types.ts';

export const webhooksKey = ['webhooks'];
const webhookKey = (id: string) => [...webhooksKey, id];
const deliveriesKey = (id: string) => ['deliveries', id];
const pageSize = 50;

export function useWebhooks() {
  const { client } = useInside();
  return useQuery({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => collect(client.webhooks.listAll({}, { signal })),
  });
}

export function useWebhook(id: string) {
  const { client } = useInside();
  return useQuery({
    queryKey: webhookKey(id),
    queryFn: ({ signal }) => client.webhooks.get(id, { signal }),
  });
}

/** Shows a webhook as a request answered it. */
export function useShowWebhook() {
  const queries = useQueryClient();
  return (webhook: Webhook) => {
    queries.setQueryData(webhookKey(webhook.id), webhook);
    void queries.invalidateQueries({ queryKey: webhooksKey, exact: true });
  };
}

/** The deliveries in a state, or in any, page by page, the newest first. */
export function useDeliveries(id: string, state: string) {
  const { client } = useInside();
  return useInfiniteQuery({
    queryKey: [...deliveriesKey(id), state],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      client.webhooks.listDeliveries(
        id,
        {
          limit: pageSize,
          ...(pageParam === '' ? {} : { cursor: pageParam }),
          ...(state === '' ? {} : { selector: `state == ${state}` }),
        },
        { signal },
      ),
    getNextPageParam: ({ metadata }) => metadata.cursor,
  });
}

/** Reads the deliveries and the webhook again. */
export function useReadAgain(id: string) {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: deliveriesKey(id) }),
      queries.invalidateQueries({ queryKey: webhookKey(id) }),
    ]);
  };
}
