import { absoluteTime, dueTime, relativeTime } from '../../../../console/src/lib/time.ts';
import { useNow } from '../../../../console/src/lib/useNow.ts';
import { Banner } from '../../../../console/src/ui/Banner.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import type { DeviceRequest } from '../../../../sdk/src/generated/types.ts';
import { ApproveForm } from './ApproveForm.tsx';
import styles from './device.module.css';
import { texts } from './texts.ts';

interface DecisionProps {
  code: string;
  request: DeviceRequest;
  onDecided: (isApproved: boolean) => void;
}

/** What asks, and from where; then what it gets. */
export function Decision({ code, request, onDecided }: DecisionProps) {
  const { name, source, isSameSource, createdAt, expiresAt } = request;
  const now = useNow(10_000);
  const time = (text: string, relative: string) => <span title={absoluteTime(text)}>{relative}</span>;
  return (
    <>
      <h1>{texts.asks(name)}</h1>
      <div className={styles.compare}>
        <span>{texts.compare}</span>
        <output className={styles.code}>{code}</output>
      </div>
      <dl className={surface.facts}>
        <dt>{texts.source}</dt>
        <dd>
          {source ?? texts.unknownSource}
          {source !== undefined && (
            <span className={styles.muted}>, {isSameSource ? texts.sameSource : texts.otherSource}</span>
          )}
        </dd>
        {createdAt !== undefined && (
          <>
            <dt>{texts.asked}</dt>
            <dd>{time(createdAt, relativeTime(createdAt, now))}</dd>
          </>
        )}
        <dt>{texts.ends}</dt>
        <dd>{time(expiresAt, dueTime(expiresAt, now))}</dd>
      </dl>
      <Banner look={isSameSource ? 'plain' : 'busy'} icon="alert" title={texts.warning}>
        <span>{texts.warningText}</span>
      </Banner>
      <ApproveForm code={code} machine={name} onDecided={onDecided} />
    </>
  );
}
