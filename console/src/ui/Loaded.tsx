import type { ReactNode } from 'react';
import { Loading } from '../loading/Loading.tsx';
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

/** What a request answered; until then that it is on its way, and why it failed if it did, also when it was repeated. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { data, error } = query;
  if (data === undefined && !error) return <Loading />;
  return (
    <>
      {error ? <Failed query={query} /> : null}
      {data !== undefined && children(data)}
    </>
  );
}

/** Why a request failed, and a way to repeat it. What an earlier one answered may still be shown. */
export function Failed<T>({ query, title = texts.failed }: { query: Query<T>; title?: string }) {
  return (
    <div className={styles.cardBody}>
      <Repeatable query={query} title={query.data === undefined ? title : texts.notUpToDate} />
    </div>
  );
}

/** The failure and its button, for a place that sets them apart itself. */
export function Repeatable<T>({ query, title }: { query: Query<T>; title: string }) {
  const { error, isFetching, refetch } = query;
  return (
    <>
      <Failure error={error} title={title} />
      <div>
        <Button icon="refresh" isBusy={isFetching} onClick={() => void refetch()}>
          {texts.retry}
        </Button>
      </div>
    </>
  );
}
