import styles from './controls.module.css';
import { Icon, type IconName } from './Icon.tsx';
import { texts } from './texts.ts';

interface Look {
  icon: IconName;
  className: string | undefined;
  isSpinning?: boolean;
}

const looks: Readonly<Record<string, Look>> = {
  Active: { icon: 'check', className: styles.good },
  Paused: { icon: 'pause', className: styles.busy },
  Accepted: { icon: 'check', className: styles.good },
  Revoked: { icon: 'close', className: undefined },
  Expired: { icon: 'clock', className: undefined },
  delivered: { icon: 'check', className: styles.good },
  Pending: { icon: 'loader', className: styles.busy, isSpinning: true },
  Operational: { icon: 'check', className: styles.good },
  Ready: { icon: 'check', className: styles.good },
  Stopping: { icon: 'loader', className: styles.busy, isSpinning: true },
  Stopped: { icon: 'sleep', className: undefined },
  Error: { icon: 'alert', className: styles.bad },
  Failed: { icon: 'alert', className: styles.bad },
  Deploying: { icon: 'loader', className: styles.busy, isSpinning: true },
  Deployed: { icon: 'check', className: styles.good },
  Lost: { icon: 'alert', className: styles.bad },
  accepted: { icon: 'clock', className: styles.busy },
  broadcast: { icon: 'loader', className: styles.busy, isSpinning: true },
  mined: { icon: 'check', className: styles.good },
  failed: { icon: 'alert', className: styles.bad },
  dropped: { icon: 'close', className: styles.bad },
  waiting: { icon: 'clock', className: styles.busy },
  recording: { icon: 'record', className: styles.busy },
  recorded: { icon: 'check', className: styles.good },
  success: { icon: 'check', className: styles.good },
  reverted: { icon: 'alert', className: styles.bad },
  pending: { icon: 'clock', className: styles.busy },
  skipped: { icon: 'close', className: undefined },
};

const names: Readonly<Record<string, string>> = texts.states;

/** A state by icon and text. One that is not known yet is shown as it is. */
export function StateBadge({ state }: { state: string }) {
  const {
    icon,
    className,
    isSpinning = false,
  }: Look = looks[state] ?? { icon: 'activity', className: undefined };
  return (
    <span className={`${styles.badge} ${className ?? ''}`} data-state={state}>
      <Icon name={icon} isSpinning={isSpinning} />
      {names[state] ?? state}
    </span>
  );
}
