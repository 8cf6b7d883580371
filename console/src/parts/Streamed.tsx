import type { ReactNode } from 'react';
import { Loading } from '../loading/Loading.tsx';
import { useInside, useStream } from '../session/context.tsx';
import { Failed } from '../ui/Loaded.tsx';
import { texts as uiTexts } from '../ui/texts.ts';
import { texts } from './texts.ts';

interface StreamedProps {
  /** What the event stream tells. */
  what?: string | undefined;
  /** Until then. */
  loading?: ReactNode;
}

/** In place of what the event stream has not told yet: that it is on its way, or why it does not come. */
export function NotStreamed({ what = texts.page, loading = <Loading /> }: StreamedProps) {
  const { error } = useStream();
  const { following } = useInside();
  if (error === undefined) return loading;
  const query = { data: undefined, error, isFetching: false, refetch: async () => following.retry() };
  return <Failed query={query} title={uiTexts.missing(what)} />;
}

interface StreamedRowsProps extends StreamedProps {
  isNone: boolean;
  /** Instead of the rows, once it is known that there are none. */
  none: ReactNode;
  children: ReactNode;
}

/** The rows of a list that come over the event stream. */
export function StreamedRows({ what, loading, isNone, none, children }: StreamedRowsProps) {
  const { isComplete } = useStream();
  if (!isNone) return children;
  return isComplete ? none : <NotStreamed what={what} loading={loading} />;
}

/** The number of such rows. */
export function StreamedCount({ count }: { count: string }) {
  const { isComplete, error } = useStream();
  if (isComplete) return count;
  return error === undefined ? texts.loading : texts.notLoadedYet;
}
