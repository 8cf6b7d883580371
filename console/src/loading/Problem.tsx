import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './loading.module.css';
import { texts } from './texts.ts';

interface ProblemProps {
  title: string;
  text: string;
  retry: () => void;
}

/** What stands where a part or a page should be: what happened, and the ways on. */
export function Problem({ title, text, retry }: ProblemProps) {
  return (
    <div className={styles.failed}>
      <Banner look="bad" icon="alert" title={title}>
        <span>{text}</span>
      </Banner>
      <div className={styles.ways}>
        <Button icon="refresh" onClick={retry}>
          {texts.retry}
        </Button>
        <Button look="quiet" onClick={() => location.reload()}>
          {texts.reload}
        </Button>
      </div>
    </div>
  );
}

/** In place of a page that cannot be drawn; the shell around it stays. */
export function PageProblem({ reset }: { reset: () => void }) {
  return <Problem title={texts.pageFailed} text={texts.pageFailedText} retry={reset} />;
}
