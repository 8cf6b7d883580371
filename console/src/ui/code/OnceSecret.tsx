import { Banner } from '../Banner.tsx';
import { Button } from '../Button.tsx';
import { useKeepPage } from '../keepOpen.ts';
import styles from '../surface.module.css';
import { texts } from '../texts.ts';
import { Code } from './Code.tsx';

interface OnceSecretProps {
  label: string;
  secret: string;
  /** What else to know about it. */
  hint?: string | undefined;
  onClose: () => void;
}

/** A secret that nothing keeps: it is gone when this is closed, which only its button does. */
export function OnceSecret({ label, secret, hint, onClose }: OnceSecretProps) {
  useKeepPage(true);
  return (
    <div className={styles.cardForm}>
      <Banner look="busy" icon="key" title={texts.once}>
        {hint && <span>{hint}</span>}
      </Banner>
      <Code label={label} text={secret} />
      <div className={styles.dialogActions}>
        <Button look="primary" onClick={onClose}>
          {texts.onceDone}
        </Button>
      </div>
    </div>
  );
}
