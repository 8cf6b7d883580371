import { useState } from 'react';
import { stateOf } from '../../../console/src/pages/networks/filter.ts';
import { useInside, useMay } from '../../../console/src/session/context.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Empty } from '../../../console/src/ui/Empty.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import { tell, tellFailure } from '../../../console/src/ui/toasts.ts';
import type { Network } from '../../../sdk/src/generated/types.ts';
import { texts } from './texts.ts';

/** Why there is nothing to see, and how to start the network. */
export function NotRunning({ network }: { network: Network }) {
  const state = stateOf(network);
  const isStopped = state === 'Stopped';
  return (
    <div className={surface.card}>
      <Empty icon={isStopped ? 'sleep' : 'network'} title={texts.idleTitle(state)} text={textOf(state)}>
        {isStopped && <Start network={network} />}
      </Empty>
    </div>
  );
}

function textOf(state: string): string {
  if (state === 'Stopped') return texts.stoppedText;
  return state === 'Error' ? texts.errorText : texts.notReadyText;
}

function Start({ network }: { network: Network }) {
  const { client, observe } = useInside();
  const mayStart = useMay('networks:write');
  const [isStarting, setStarting] = useState(false);
  if (!mayStart) return null;
  const start = async () => {
    setStarting(true);
    try {
      observe(await client.networks.wake(network.id));
      tell(texts.started);
    } catch (error) {
      tellFailure(error);
    } finally {
      setStarting(false);
    }
  };
  return (
    <Button icon="play" look="primary" isBusy={isStarting} onClick={() => void start()}>
      {texts.start}
    </Button>
  );
}
