import type { ReactNode } from 'react';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import { Icon, type IconName } from './Icon.tsx';
import styles from './surface.module.css';
import { texts } from './texts.ts';
import { messageOf } from './toasts.ts';

interface BannerProps {
  look: 'bad' | 'busy' | 'plain';
  icon: IconName;
  title: string;
  children?: ReactNode;
}

export function Banner({ look, icon, title, children }: BannerProps) {
  const looks = { bad: styles.bannerBad, busy: styles.bannerBusy, plain: '' };
  return (
    <div className={`${styles.banner} ${looks[look]}`} role={look === 'bad' ? 'alert' : 'status'}>
      <Icon name={icon} />
      <div className={styles.bannerText}>
        <span className={styles.bannerTitle}>{title}</span>
        {children}
      </div>
    </div>
  );
}

/** Why something failed, and what finds it in the log of the service. */
export function Reason({ error }: { error: unknown }) {
  const requestId = isSlipwayError(error) ? error.requestId : undefined;
  return (
    <>
      <span>{messageOf(error)}</span>
      {requestId && <small>{texts.requestId(requestId)}</small>}
    </>
  );
}

export function Failure({ error, title = texts.failed }: { error: unknown; title?: string }) {
  return (
    <Banner look="bad" icon="alert" title={title}>
      <Reason error={error} />
    </Banner>
  );
}
