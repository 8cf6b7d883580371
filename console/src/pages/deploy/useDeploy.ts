import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Token } from '../../../../sdk/src/generated/types.ts';
import { useInside } from '../../session/context.tsx';
import { tell } from '../../ui/toasts.ts';
import type { toBody } from './form.ts';
import { type StandardPath, standards } from './standards.ts';
import { texts } from './texts.ts';

interface Wanted {
  path: StandardPath;
  body: ReturnType<typeof toBody>;
}

/** Deploys the token and goes to its page, where each network shows how far it is. */
export function useDeploy() {
  const { client, observe } = useInside();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ path, body }: Wanted) => send(client, path, body),
    onSuccess: (token) => {
      observe(token);
      tell(texts.begun(token.symbol));
      void navigate({ to: '/tokens/$id', params: { id: token.id } });
    },
  });
}

/** The service checks the args: a form may be incomplete. */
function send(client: Client, path: StandardPath, body: object): Promise<Token> {
  return standards[path].deploy(client, body as never);
}
