import { useQuery } from '@tanstack/react-query';
import type { Found } from '../../../../console/src/feature.ts';
import { useInside, useKind } from '../../../../console/src/session/context.tsx';
import { contractResult, placesOf, resultsAt } from './found.ts';
import { networksWith } from './onChains.ts';
import { useContracts } from './useContracts.ts';

/** What a text finds on the chains of the workspace. Nothing is woken. */
export function useFound(text: string, networkId: string | undefined): Found {
  const { client } = useInside();
  const networks = [...useKind('network').objects.values()];
  const places = placesOf(text, { networks, networkId });
  const asked = places.filter(({ isAsked }) => isAsked);
  const { kind, value } = asked[0]?.target ?? {};
  const { data: found, isFetching } = useQuery({
    queryKey: ['found', kind, value, asked.map((place) => place.networkId)],
    enabled: asked.length > 0,
    queryFn: ({ signal }) => networksWith(client, asked, signal),
    // While other networks start and stop, what was found stays where it is.
    placeholderData: (before, query) =>
      query?.queryKey[1] === kind && query?.queryKey[2] === value ? before : undefined,
  });
  const { contracts, isLooking } = useContracts(text);
  return {
    onChains: resultsAt(places, found),
    named: contracts.map(contractResult),
    isLooking: isFetching || isLooking,
  };
}
