import { Toast } from '@base-ui/react/toast';
import { buttonClass } from './Button.tsx';
import { Icon } from './Icon.tsx';
import styles from './surface.module.css';
import { texts } from './texts.ts';
import { toastManager } from './toasts.ts';

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`${styles.toast} ${toast.type === 'bad' ? styles.toastBad : ''}`}
    >
      <Icon name={toast.type === 'bad' ? 'alert' : 'check'} />
      <div className={styles.toastText}>
        <Toast.Title render={<strong />} />
        <Toast.Description />
      </div>
      <Toast.Close
        className={buttonClass({ look: 'quiet', isSmall: true, isIcon: true })}
        aria-label={texts.close}
      >
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ));
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={toastManager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.toasts}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
