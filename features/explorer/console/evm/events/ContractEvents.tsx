import { useState } from 'react';
import { Card } from '../../../../../console/src/ui/Card.tsx';
import { SelectField } from '../../../../../console/src/ui/Field.tsx';
import { useExplored, useFirstBlock } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { BlockLink, ShortLink } from '../../parts/links.tsx';
import type { NamedContract } from '../../reader.ts';
import { texts } from '../../texts.ts';
import { SearchedBlocks } from '../search/SearchedBlocks.tsx';
import { searchLogs } from '../search/searchLogs.ts';
import { useSearchBack } from '../search/useSearchBack.ts';
import { eventKindsOf, newestFirst } from './events.ts';
import { LogList } from './Logs.tsx';

interface ContractEventsProps {
  address: string;
  contract: NamedContract | undefined;
}

/** What a contract emitted, in the blocks that were searched so far: all of it, or one of its events. */
export function ContractEvents({ address, contract }: ContractEventsProps) {
  const [topic, setTopic] = useState('');
  const kinds = eventKindsOf(contract?.abi);
  return (
    <Card title={texts.events}>
      {kinds.length > 1 && (
        <div className={styles.filter}>
          <SelectField
            label={texts.eventKind}
            value={topic}
            options={[
              { value: '', label: texts.allEvents },
              ...kinds.map((kind) => ({ value: kind.topic, label: kind.signature })),
            ]}
            onChange={setTopic}
          />
        </div>
      )}
      <Found key={topic} address={address} contract={contract} topic={topic} />
    </Card>
  );
}

function Found({ address, contract, topic }: ContractEventsProps & { topic: string }) {
  const { reader } = useExplored();
  const first = useFirstBlock();
  const filter = topic === '' ? { address } : { address, topics: [topic] };
  const search = useSearchBack(first, async (range) => {
    const { logs, from } = await searchLogs(reader, filter, range);
    return { found: logs.sort(newestFirst), from };
  });
  const names = new Map(contract && [[address.toLowerCase(), contract]]);
  return (
    <SearchedBlocks search={search} scope={texts.eventsIn} more={texts.searchEarlier} first={first}>
      {({ found }) => (
        <LogList
          logs={found}
          names={names}
          empty={texts.noEvents}
          placeOf={({ hash, block }) => (
            <>
              {hash !== undefined && <ShortLink kind="tx" value={hash} />}
              {block !== undefined && <BlockLink number={block} />}
            </>
          )}
        />
      )}
    </SearchedBlocks>
  );
}
