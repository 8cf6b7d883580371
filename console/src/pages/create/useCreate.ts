import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Client } from '../../../../sdk/src/client.ts';
import { isSlipwayError, SlipwayError } from '../../../../sdk/src/error.ts';
import type { NetworkCreate } from '../../../../sdk/src/generated/types.ts';
import { useInside } from '../../session/context.tsx';

interface Wanted {
  body: NetworkCreate;
  /** The secret to create along; undefined for none. */
  newKey: string | undefined;
}

/** Creates the network, with its key before it, and goes to its page. */
export function useCreate() {
  const { client, observe } = useInside();
  const queries = useQueryClient();
  const navigate = useNavigate();
  // A key that was created for an attempt that failed serves the next one.
  const made = useRef(new Set<string>());
  return useMutation({
    mutationFn: async ({ body, newKey }: Wanted) => {
      if (newKey && !made.current.has(newKey)) {
        await createKey(client, newKey);
        made.current.add(newKey);
        void queries.invalidateQueries({ queryKey: ['secrets'] });
      }
      return client.networks.create(body);
    },
    onSuccess: (network) => {
      observe(network);
      void navigate({ to: '/networks/$id', params: { id: network.id } });
    },
  });
}

/** A private key of 32 random bytes. It goes to the service and is not kept here. */
async function createKey(client: Client, name: string): Promise<void> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const data = btoa(String.fromCharCode(...bytes));
  bytes.fill(0);
  await client.secrets.create({ name, type: 'ethereum-private-key', data }).catch((error) => {
    throw isSlipwayError(error, 'Conflict') ? atKey(error) : error;
  });
}

/** The name that is taken is that of the key. */
function atKey(error: SlipwayError): SlipwayError {
  const { status, reason, requestId, message } = error;
  const details = [{ path: 'spec.chain.ethereum.privateKeyRef.name', message }];
  return new SlipwayError(message, { status, reason, requestId, details });
}
