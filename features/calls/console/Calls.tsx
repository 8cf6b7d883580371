import { useState } from 'react';
import { useMay } from '../../../console/src/session/context.tsx';
import { Banner, Failure } from '../../../console/src/ui/Banner.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Card } from '../../../console/src/ui/Card.tsx';
import { Empty } from '../../../console/src/ui/Empty.tsx';
import { CheckField } from '../../../console/src/ui/Field.tsx';
import { Loaded } from '../../../console/src/ui/Loaded.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { CallList, Network } from '../../../sdk/src/generated/types.ts';
import { CallTable } from './CallTable.tsx';
import styles from './calls.module.css';
import { useCalls, useSwitchCalls } from './queries.ts';
import { texts } from './texts.ts';
import { useLive } from './useLive.ts';

/** The last calls to a network, and whether they are kept. */
export function Calls({ network }: { network: Network }) {
  if (!useMay('logs:read')) return <Banner look="plain" icon="key" title={texts.forbidden} />;
  return <CallsCard id={network.id} />;
}

function CallsCard({ id }: { id: string }) {
  const mayWrite = useMay('networks:write');
  const [isFailedOnly, setFailedOnly] = useState(false);
  const [isLive, setLive] = useLive();
  const calls = useCalls(id, isFailedOnly, isLive);
  const turn = useSwitchCalls(id);
  const isOn = calls.data?.enabled === true;
  const turnOff = mayWrite && isOn && (
    <Button isBusy={turn.isPending} onClick={() => turn.mutate(false)}>
      {texts.turnOff}
    </Button>
  );
  return (
    <Card title={texts.title} action={turnOff}>
      {turn.error && (
        <div className={surface.cardBody}>
          <Failure error={turn.error} />
        </div>
      )}
      {isOn && (
        <div className={styles.tools}>
          <CheckField label={texts.onlyFailed} isChecked={isFailedOnly} onChange={setFailedOnly} />
          <CheckField label={texts.live} isChecked={isLive} onChange={setLive} />
        </div>
      )}
      <Loaded query={calls}>
        {(list) =>
          list.enabled ? (
            <Shown list={list} isFailedOnly={isFailedOnly} />
          ) : (
            <Off mayWrite={mayWrite} isBusy={turn.isPending} onTurnOn={() => turn.mutate(true)} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Shown({ list, isFailedOnly }: { list: CallList; isFailedOnly: boolean }) {
  const { items, missingReplicas } = list;
  return (
    <>
      {missingReplicas > 0 && <p className={surface.note}>{texts.missing(missingReplicas)}</p>}
      {items.length > 0 ? (
        <CallTable calls={items} />
      ) : (
        <p className={surface.note}>{isFailedOnly ? texts.noneFailed : texts.none}</p>
      )}
    </>
  );
}

interface OffProps {
  mayWrite: boolean;
  isBusy: boolean;
  onTurnOn: () => void;
}

function Off({ mayWrite, isBusy, onTurnOn }: OffProps) {
  return (
    <Empty icon="activity" title={texts.offTitle} text={texts.offText}>
      {mayWrite ? (
        <Button look="primary" isBusy={isBusy} onClick={onTurnOn}>
          {texts.turnOn}
        </Button>
      ) : (
        <p>{texts.offForbidden}</p>
      )}
    </Empty>
  );
}
