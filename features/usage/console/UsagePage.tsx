import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../../console/src/app/usePageTitle.ts';
import { useInside } from '../../../console/src/session/context.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Card } from '../../../console/src/ui/Card.tsx';
import { type Column, DataTable } from '../../../console/src/ui/DataTable.tsx';
import { Loaded } from '../../../console/src/ui/Loaded.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import type { Usage } from '../../../sdk/src/generated/types.ts';
import { Bars } from './Bars.tsx';
import { measures, nearlyFull, shareOf, type UsedBudget } from './figures.ts';
import { texts } from './texts.ts';
import styles from './usage.module.css';

/** Read when the page opens, and when somebody asks for it. */
function useUsage() {
  const { client, me } = useInside();
  const id = me.workspace?.id ?? '';
  return useQuery({
    queryKey: ['usage', id],
    queryFn: ({ signal }) => client.workspaces.getUsage(id, {}, { signal }),
  });
}

export function UsagePage() {
  usePageTitle(texts.title);
  const usage = useUsage();
  const refresh = (
    <Button icon="refresh" isBusy={usage.isFetching} onClick={() => void usage.refetch()}>
      {texts.refresh}
    </Button>
  );
  return (
    <div className={styles.stack}>
      <Card title={texts.title} action={refresh}>
        <Loaded query={usage}>{(data) => <Days usage={data} />}</Loaded>
      </Card>
      <Card title={texts.budgets}>
        <Loaded query={usage}>{(data) => <Budgets usage={data} />}</Loaded>
      </Card>
      <Card title={texts.stored}>
        <Loaded query={usage}>{(data) => <Stored usage={data} />}</Loaded>
      </Card>
    </div>
  );
}

function Days({ usage: { days } }: { usage: Usage }) {
  return (
    <div className={surface.cardBody}>
      <p className={styles.muted}>{texts.asOf}</p>
      <div className={styles.charts}>
        {measures.map((measure) => (
          <Bars key={measure} days={days} measure={measure} />
        ))}
      </div>
      <details className={styles.numbers}>
        <summary>{texts.numbers}</summary>
        <DataTable
          label={texts.lastDays(days.length)}
          columns={dayColumns}
          rows={[...days].reverse()}
          keyOf={({ day }) => day}
        />
      </details>
    </div>
  );
}

const dayColumns: Column<Usage['days'][number]>[] = [
  { label: texts.day, isMain: true, cell: ({ day }) => day },
  ...measures.map((measure) => ({
    label: texts.measures[measure],
    cell: (day: Usage['days'][number]) => texts.number(day[measure]),
  })),
];

function Budgets({ usage: { budgets, runningNetworks } }: { usage: Usage }) {
  return (
    <>
      <p className={`${surface.note} ${styles.running}`}>{texts.running(runningNetworks)}</p>
      <DataTable label={texts.budgets} columns={budgetColumns} rows={budgets} keyOf={({ name }) => name} />
    </>
  );
}

function Stored({ usage: { stored } }: { usage: Usage }) {
  return (
    <>
      <p className={`${surface.note} ${styles.running}`}>{texts.storedNote}</p>
      <DataTable label={texts.stored} columns={storedColumns} rows={stored} keyOf={({ kind }) => kind} />
    </>
  );
}

const storedColumns: Column<Usage['stored'][number]>[] = [
  { label: texts.budget, isMain: true, cell: ({ kind }) => texts.storedKind(kind) },
  { label: texts.used, cell: ({ bytes }) => texts.size(bytes) },
];

const budgetColumns: Column<UsedBudget>[] = [
  { label: texts.budget, isMain: true, cell: ({ name }) => texts.name(name) },
  { label: texts.used, cell: texts.usedOf },
  { label: texts.share, cell: (budget) => <Share budget={budget} /> },
];

/** The number beside it says the same. */
function Share({ budget }: { budget: UsedBudget }) {
  const share = shareOf(budget);
  if (share === undefined) return <span className={styles.muted}>{texts.noLimit}</span>;
  return (
    <span className={styles.share}>
      <svg className={styles.track} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share} height="1" className={share >= nearlyFull ? styles.full : styles.filled} />
      </svg>
      <span>{`${Math.floor(share)} %`}</span>
    </span>
  );
}
