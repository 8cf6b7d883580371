import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isSettled } from '../../../../../console/src/live/kinds.ts';
import { useInside } from '../../../../../console/src/session/context.tsx';
import { Banner } from '../../../../../console/src/ui/Banner.tsx';
import type { Submission } from '../../../../../sdk/src/generated/types.ts';
import { keepAbi } from '../../abis.ts';
import { useChain, useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import { readTransaction } from '../readTransaction.ts';
import { texts } from './texts.ts';

const againMs = 1_000;

interface SubmittedProps {
  hash: string;
  /** What it creates. */
  contract?: { name: string; abi: readonly unknown[] } | undefined;
}

/** What becomes of a transaction that the service sends, until it is settled. */
export function Submitted({ hash, contract }: SubmittedProps) {
  const { client } = useInside();
  const { network, enclaveID, reader } = useExplored();
  const { data } = useQuery<Submission>({
    queryKey: ['submission', network.id, hash],
    meta: { aside: texts.transaction },
    refetchInterval: ({ state: { data } }) => (data && isSettled(data) ? false : againMs),
    queryFn: ({ signal }) => client.transactions.get(hash, { network_id: network.id }, { signal }),
  });
  const { state = 'accepted', message, block, contract_address: created } = data ?? {};
  // Whoever deployed it wants to call it next.
  useEffect(() => {
    if (!created || !contract) return;
    keepAbi(localStorage, { enclaveID, address: created }, contract);
    reader.forget(created);
  }, [created, contract, enclaveID, reader]);
  return (
    <div className={styles.stack}>
      {state === 'failed' || state === 'dropped' ? (
        <Banner look="bad" icon="alert" title={state === 'failed' ? texts.failed : texts.dropped}>
          <span>{state === 'failed' ? <Reason hash={hash} message={message} /> : message}</span>
        </Banner>
      ) : (
        <p role="status">{state === 'mined' && block !== undefined ? texts.mined(block) : texts.sent}</p>
      )}
      <p>
        {texts.transaction} <TargetLink kind="tx" value={hash} />
      </p>
      {created && (
        <p>
          {texts.created} <TargetLink kind="address" value={created} />
        </p>
      )}
    </div>
  );
}

/** Why it failed, by the ABIs that are known. */
function Reason({ hash, message }: { hash: string; message: string | undefined }) {
  const { data } = useChain(['tx', hash], (reader) => readTransaction(reader, hash));
  return data?.reason ?? message;
}
