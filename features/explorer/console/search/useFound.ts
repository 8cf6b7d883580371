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
  const { data: found, isLoading } = useQuery({
    queryKey: ['found', asked.map((place) => place.networkId), asked[0]?.target],
    enabled: asked.length > 0,
    queryFn: ({ signal }) => networksWith(client, asked, signal),
  });
  const { contracts, isLooking } = useContracts(text);
  return {
    onChains: resultsAt(places, found),
    named: contracts.map(contractResult),
    isLooking: isLoading || isLooking,
  };
}
