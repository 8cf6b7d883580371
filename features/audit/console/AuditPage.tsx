import { useState } from 'react';
import { usePageTitle } from '../../../console/src/app/usePageTitle.ts';
import { useMembers } from '../../../console/src/pages/members/queries.ts';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Card } from '../../../console/src/ui/Card.tsx';
import controls from '../../../console/src/ui/controls.module.css';
import { Loaded } from '../../../console/src/ui/Loaded.tsx';
import surface from '../../../console/src/ui/surface.module.css';
import styles from './audit.module.css';
import { Entries } from './Entries.tsx';
import { type AuditFilter, useAudit } from './queries.ts';
import { texts } from './texts.ts';

const everything: AuditFilter = { actor: '', action: '', outcome: '' };

/** Who did what in the workspace. */
export function AuditPage() {
  usePageTitle(texts.title);
  const [filter, setFilter] = useState(everything);
  const audit = useAudit(filter);
  const { hasNextPage, isFetching, fetchNextPage, refetch } = audit;
  const action = (
    <Button icon="refresh" isBusy={isFetching} onClick={() => void refetch()}>
      {texts.refresh}
    </Button>
  );
  return (
    <>
      <p className={styles.text}>{texts.text}</p>
      <Card title={texts.title} action={action}>
        <Filters filter={filter} onChange={setFilter} />
        <Loaded query={audit}>
          {({ pages }) => <Entries entries={pages.flatMap(({ items }) => items)} />}
        </Loaded>
        {hasNextPage && (
          <div className={surface.cardBody}>
            <div>
              <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
                {texts.more}
              </Button>
            </div>
          </div>
        )}
      </Card>
    </>
  );
}

interface FiltersProps {
  filter: AuditFilter;
  onChange: (filter: AuditFilter) => void;
}

/** An action is asked for when its name is complete, not with each letter. */
function Filters({ filter, onChange }: FiltersProps) {
  const { data: members = [] } = useMembers();
  const [action, setAction] = useState('');
  const change = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part });
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        change({ action: action.trim() });
      }}
    >
      <select
        className={controls.input}
        aria-label={texts.filterActor}
        value={filter.actor}
        onChange={(event) => change({ actor: event.target.value })}
      >
        <option value="">{texts.anybody}</option>
        {members.map(({ userID, email }) => (
          <option key={userID} value={userID}>
            {email ?? userID}
          </option>
        ))}
      </select>
      <select
        className={controls.input}
        aria-label={texts.filterOutcome}
        value={filter.outcome}
        onChange={(event) => change({ outcome: event.target.value })}
      >
        <option value="">{texts.anyOutcome}</option>
        <option value="ok">{texts.done}</option>
        <option value="Forbidden">{texts.refused}</option>
      </select>
      <input
        className={controls.input}
        aria-label={texts.filterAction}
        placeholder={texts.actionHint}
        value={action}
        onChange={(event) => setAction(event.target.value)}
        onBlur={() => change({ action: action.trim() })}
      />
    </form>
  );
}
