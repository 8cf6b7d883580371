import { Tabs } from '@base-ui/react/tabs';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { part } from '../../../../../console/src/loading/part.tsx';
import { TabList } from '../../../../../console/src/parts/TabList.tsx';
import { useFeature } from '../../../../../console/src/parts/useFeature.ts';
import surface from '../../../../../console/src/ui/surface.module.css';
import { useChain } from '../../context.tsx';
import styles from '../../explorer.module.css';
import type { NamedContract } from '../../reader.ts';
import { texts } from '../../texts.ts';
import { ReadFunctions } from '../contract/ReadFunctions.tsx';
import { Source } from '../contract/Source.tsx';
import { ContractEvents } from '../events/ContractEvents.tsx';
import { AccountTransactions } from '../history/AccountTransactions.tsx';
import { Holders } from '../tokens/Holders.tsx';
import { standardOf } from '../tokens/standard.ts';
import { TokenTransfers } from '../tokens/TokenTransfers.tsx';

const WriteFunctions = part(() =>
  import('../contract/WriteFunctions.tsx').then((file) => file.WriteFunctions),
);

interface SectionsProps {
  address: string;
  code: string;
  contract: NamedContract | undefined;
  isContract: boolean;
  /** Accounts may delegate their calls to a contract. */
  hasFunctions: boolean;
}

type Tab = keyof typeof texts.tabs;
const first: Tab = 'transactions';
const route = '/networks/$id/explorer/$kind/$value';

function tabsOf({ contract, isContract, hasFunctions }: SectionsProps, isToken: boolean): Tab[] {
  const tabs: Tab[] = ['transactions', 'tokens'];
  if (isContract) tabs.splice(1, 0, 'events');
  if (isToken) tabs.push('holders');
  if (hasFunctions) tabs.push('read', 'write');
  if (contract?.origin === 'verified') tabs.push('source');
  return tabs;
}

/** What there is to know of an address beside its balance. */
export function Sections(props: SectionsProps) {
  const { address, code, contract, isContract } = props;
  const standard = useChain(['standard', address], async (reader) =>
    isContract ? standardOf(reader, address) : null,
  );
  const readSource = useFeature('contractSource');
  const isToken = Boolean(standard.data);
  const shown = tabsOf(props, isToken);
  const { tab } = useSearch({ from: route });
  const navigate = useNavigate({ from: route });
  const choose = (value: string) => void navigate({ search: value === first ? {} : { tab: value } });
  return (
    <Tabs.Root value={shown.find((one) => one === tab) ?? first} onValueChange={choose}>
      <TabList label={texts.sections} tabs={shown.map((name) => ({ name, label: texts.tabs[name] }))} />
      <Tabs.Panel value="transactions" className={surface.panel}>
        <AccountTransactions address={address} />
      </Tabs.Panel>
      <Tabs.Panel value="events" className={surface.panel}>
        <ContractEvents address={address} contract={contract} />
      </Tabs.Panel>
      <Tabs.Panel value="tokens" className={surface.panel}>
        <Tokens address={address} isContract={isContract} isToken={isToken} />
      </Tabs.Panel>
      <Tabs.Panel value="holders" className={surface.panel}>
        <Holders token={address} />
      </Tabs.Panel>
      <Tabs.Panel value="read" className={surface.panel}>
        <ReadFunctions address={address} code={code} contract={contract} />
      </Tabs.Panel>
      <Tabs.Panel value="write" className={surface.panel}>
        <WriteFunctions address={address} code={code} contract={contract} />
      </Tabs.Panel>
      <Tabs.Panel value="source" className={surface.panel}>
        {readSource && <Source address={address} read={readSource} />}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

interface TokensProps {
  address: string;
  isContract: boolean;
  isToken: boolean;
}

/** The transfers of a contract's own tokens, and what it or the account has. Some contracts emit transfers and are like no token else. */
function Tokens({ address, isContract, isToken }: TokensProps) {
  return (
    <div className={styles.stack}>
      {isContract && (
        <TokenTransfers
          subject={{ token: address }}
          title={texts.tokenTransfers}
          isHiddenIfEmpty={!isToken}
        />
      )}
      <TokenTransfers
        subject={{ account: address }}
        title={isContract ? texts.heldByContract : texts.tokenTransfers}
      />
    </div>
  );
}
