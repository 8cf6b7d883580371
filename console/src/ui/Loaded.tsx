import type { ReactNode } from 'react';
import { Failure } from './Banner.tsx';
import { Button } from './Button.tsx';
import styles from './surface.module.css';
import { texts } from './texts.ts';

/** What of a query is shown here. */
export interface Query<T> {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface LoadedProps<T> {
  query: Query<T>;
  children: (data: T) => ReactNode;
}

/** What a request answered; until then that it is on its way, and why it failed if it did. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (!error) {
    return (
      <p className={styles.note} role="status">
        {texts.loading}
      </p>
    );
  }
  return (
    <div className={styles.cardBody}>
      <Failure error={error} />
      <div>
        <Button icon="refresh" isBusy={isFetching} onClick={() => void refetch()}>
          {texts.retry}
        </Button>
      </div>
    </div>
  );
}
