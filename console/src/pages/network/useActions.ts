import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Client } from '../../../../sdk/src/client.ts';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { useInside } from '../../session/context.tsx';
import type { Question } from '../../ui/Confirm.tsx';
import { tell, tellFailure } from '../../ui/toasts.ts';
import { type MaintenanceAction, nextNonce } from './maintenance.ts';
import { texts } from './texts.ts';

/** Asks for maintenance by a change of the spec. */
function maintain(client: Client, network: Network, action: MaintenanceAction) {
  const { id, metadata, spec } = network;
  const rev = metadata.rev === undefined ? {} : { metadata: { rev: metadata.rev } };
  const maintenanceRequest = { action, nonce: nextNonce(network) };
  return client.networks.replace(id, { ...rev, spec: { ...spec, maintenanceRequest } });
}

/** What can be done with a network, and what to ask before. */
export function useActions(network: Network) {
  const { client, observe } = useInside();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question>();
  const [isWaking, setWaking] = useState(false);
  const { id, name, spec } = network;
  const then = (text: string) => (changed: Network) => {
    observe(changed);
    tell(text);
  };
  return {
    question,
    isWaking,
    close: () => setQuestion(undefined),
    wake() {
      setWaking(true);
      client.networks
        .wake(id)
        .then(then(texts.wokenNow), tellFailure)
        .finally(() => setWaking(false));
    },
    stop: () =>
      setQuestion({
        title: texts.stopTitle(name),
        text: spec.persistent ? texts.stopPersistent : texts.stopText,
        action: texts.stop,
        isDanger: !spec.persistent,
        run: () => client.networks.stop(id).then(then(texts.stopped)),
      }),
    restart: () =>
      setQuestion({
        title: texts.restartTitle(name),
        text: texts.restartText,
        action: texts.restart,
        run: () => maintain(client, network, 'Restart').then(then(texts.restarted)),
      }),
    reset: () =>
      setQuestion({
        title: texts.resetTitle(name),
        text: texts.resetText,
        action: texts.reset,
        isDanger: true,
        run: () => maintain(client, network, 'ResetState').then(then(texts.resetBegun)),
      }),
    remove: () =>
      setQuestion({
        title: texts.removeTitle(name),
        text: texts.removeText,
        action: texts.remove,
        isDanger: true,
        typed: { label: texts.removeTyped, value: name },
        run: async () => {
          await client.networks.delete(id);
          tell(texts.removed);
          await navigate({ to: '/networks' });
        },
      }),
  };
}
