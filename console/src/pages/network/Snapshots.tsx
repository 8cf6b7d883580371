import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Network, Snapshot } from '../../../../sdk/src/generated/types.ts';
import { useSubmit } from '../../forms/useSubmit.ts';
import { absoluteTime } from '../../lib/time.ts';
import { StreamedRows } from '../../parts/Streamed.tsx';
import { useInside, useLive, useMay } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { TextField } from '../../ui/Field.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { tell } from '../../ui/toasts.ts';
import { createSearch } from '../create/search.ts';
import styles from './network.module.css';
import { texts } from './texts.ts';

export function Snapshots({ network }: { network: Network }) {
  const { snapshots } = useLive();
  const mayWrite = useMay('networks:write');
  const own = [...snapshots.values()]
    .filter(({ status }) => status?.networkID === network.id)
    .sort((a, b) => (b.metadata.createdAt ?? '').localeCompare(a.metadata.createdAt ?? ''));
  return (
    <div className={styles.stack}>
      {mayWrite && <TakeSnapshot network={network} />}
      <div className={surface.card}>
        <StreamedRows
          what={texts.tabs.snapshots}
          isNone={own.length === 0}
          none={<Empty icon="clock" title={texts.snapshotsEmptyTitle} text={texts.snapshotsEmpty} />}
        >
          <SnapshotList network={network} snapshots={own} mayWrite={mayWrite} />
        </StreamedRows>
      </div>
    </div>
  );
}

function TakeSnapshot({ network }: { network: Network }) {
  const { client } = useInside();
  const [name, setName] = useState('');
  const { isBusy, submit, at, error } = useSubmit({
    fields: ['name'],
    // It is about the state of the network as well.
    taken: null,
    run: () => client.snapshots.create(network.id, name.trim() ? { name: name.trim() } : {}),
    done: () => {
      setName('');
      tell(texts.snapshotTaken);
    },
  });
  return (
    <form className={`${surface.card} ${surface.cardBody}`} onSubmit={submit} noValidate>
      <div className={styles.inline}>
        <TextField
          label={texts.snapshotName}
          hint={texts.snapshotNameHint}
          error={at.name}
          value={name}
          isOptional
          onChange={setName}
        />
        <Button type="submit" isBusy={isBusy}>
          {texts.takeSnapshot}
        </Button>
      </div>
      {error !== undefined && <Failure error={error} />}
    </form>
  );
}

interface SnapshotListProps {
  network: Network;
  snapshots: readonly Snapshot[];
  mayWrite: boolean;
}

function SnapshotList({ network, snapshots, mayWrite }: SnapshotListProps) {
  const { client, observe } = useInside();
  const [question, setQuestion] = useState<Question>();
  const revert = ({ id, name }: Snapshot) =>
    setQuestion({
      title: texts.revertTitle(name),
      text: texts.revertText,
      action: texts.revert,
      isDanger: true,
      run: async () => {
        observe(await client.snapshots.revert({ id: network.id, snapshotId: id }));
        tell(texts.reverted);
      },
    });
  const remove = ({ id, name }: Snapshot) =>
    setQuestion({
      title: texts.removeSnapshotTitle(name),
      text: texts.removeSnapshotText,
      action: texts.removeSnapshot,
      isDanger: true,
      run: async () => {
        await client.snapshots.delete(id);
        tell(texts.removedSnapshot);
      },
    });
  return (
    <ul className={styles.snapshots}>
      {snapshots.map((snapshot) => (
        <li key={snapshot.id}>
          <SnapshotText snapshot={snapshot} />
          {mayWrite && (
            <span className={styles.tools}>
              <Link
                to="/networks/new"
                search={createSearch({ from: snapshot.name, type: network.spec.chain.type })}
                className={buttonClass({ isSmall: true })}
                aria-label={`${texts.newFromSnapshot}: ${snapshot.name}`}
              >
                {texts.newFromSnapshot}
              </Link>
              <Button
                isSmall
                disabled={snapshot.status?.state !== 'Ready'}
                onClick={() => revert(snapshot)}
                aria-label={`${texts.revert}: ${snapshot.name}`}
              >
                {texts.revert}
              </Button>
              <Button
                isSmall
                look="danger"
                onClick={() => remove(snapshot)}
                aria-label={`${texts.removeSnapshot}: ${snapshot.name}`}
              >
                {texts.removeSnapshot}
              </Button>
            </span>
          )}
        </li>
      ))}
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </ul>
  );
}

function SnapshotText({ snapshot }: { snapshot: Snapshot }) {
  const { name, metadata, status } = snapshot;
  return (
    <span className={styles.snapshotText}>
      <strong>{name}</strong> <StateBadge state={status?.state ?? 'Pending'} />
      <span className={styles.muted}>
        {status?.block !== undefined && `${texts.snapshotBlock(status.block)} · `}
        {absoluteTime(status?.takenAt ?? metadata.createdAt)}
      </span>
      {/* Of one that is stored, the message says again what is before it. */}
      {status?.state === 'Ready' ? (
        status.bytes !== undefined && <span className={styles.muted}>{texts.snapshotSize(status.bytes)}</span>
      ) : (
        <span className={styles.muted}>{status?.message}</span>
      )}
    </span>
  );
}
