import { Card } from '../../../../console/src/ui/Card.tsx';
import { Code } from '../../../../console/src/ui/code/Code.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { inUnits, whole } from '../amounts.ts';
import { useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { at, listAt, quantityAt, textAt } from '../fields.ts';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, Full, TargetLink } from '../parts/links.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Rows } from '../parts/Rows.tsx';
import { Table } from '../parts/Table.tsx';
import type { Answer, Reader } from '../reader.ts';
import { texts } from '../texts.ts';
import { inSol } from './SolanaTransactionPage.tsx';

const parsed = { encoding: 'jsonParsed', commitment: 'confirmed' };
const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const shownTransactions = 25;

async function readAccount(reader: Reader, address: string) {
  const [account, tokens, recent] = await reader.ask([
    ['getAccountInfo', address, parsed],
    ['getTokenAccountsByOwner', address, { programId: tokenProgram }, parsed],
    ['getSignaturesForAddress', address, { limit: shownTransactions, commitment: 'confirmed' }],
  ]);
  if (account?.error) throw new Error(account.error.message);
  return { account: at(account, 'result', 'value') ?? null, tokens, recent };
}

export function AccountPage({ address }: { address: string }) {
  const result = useLiveChain(['account', address], (reader) => readAccount(reader, address));
  return (
    <Loaded of={result}>
      {({ account, tokens, recent }) => (
        <div className={styles.stack}>
          <Facts address={address} account={account} />
          <Tokens answer={tokens} />
          <Recent answer={recent} />
        </div>
      )}
    </Loaded>
  );
}

function Facts({ address, account }: { address: string; account: unknown }) {
  const owner = textAt(account, 'owner');
  const data = at(account, 'data', 'parsed');
  return (
    <Card title={texts.account}>
      <Rows
        rows={[
          [texts.address, <Full key="address" value={address} label={texts.address} />],
          [texts.status, account === null ? texts.absent : undefined],
          [texts.balance, inSol(quantityAt(account, 'lamports') ?? 0n)],
          [texts.owner, owner && <Full key="owner" kind="address" value={owner} label={texts.owner} />],
          [texts.size, account === null ? undefined : texts.bytes(whole(quantityAt(account, 'space') ?? 0n))],
          [texts.executable, at(account, 'executable') === true ? '✓' : undefined],
        ]}
      />
      {data !== undefined && (
        <div className={surface.cardBody}>
          <Code label={texts.data} text={JSON.stringify(data, undefined, 2)} />
        </div>
      )}
    </Card>
  );
}

function Tokens({ answer }: { answer: Answer | undefined }) {
  const accounts = listAt(answer, 'result', 'value');
  if (accounts.length === 0) return null;
  return (
    <Card title={texts.tokens}>
      <Table
        label={texts.tokens}
        columns={[texts.address, texts.token, texts.balance]}
        rows={accounts.map((one) => {
          const address = textAt(one, 'pubkey') ?? '';
          const info = at(one, 'account', 'data', 'parsed', 'info');
          const amount = quantityAt(info, 'tokenAmount', 'amount') ?? 0n;
          const decimals = Number(quantityAt(info, 'tokenAmount', 'decimals') ?? 0n);
          return {
            key: address,
            cells: [
              <TargetLink key="address" kind="address" value={address} />,
              <TargetLink key="mint" kind="address" value={textAt(info, 'mint') ?? ''} />,
              inUnits(amount, decimals),
            ],
          };
        })}
        empty={texts.noBalances}
      />
    </Card>
  );
}

function Recent({ answer }: { answer: Answer | undefined }) {
  return (
    <Card title={texts.recent}>
      <Table
        label={texts.recent}
        columns={[texts.columns.signature, texts.columns.slot, texts.columns.age, texts.columns.result]}
        rows={listAt(answer, 'result').map((one) => {
          const signature = textAt(one, 'signature') ?? '';
          return {
            key: signature,
            cells: [
              <TargetLink key="tx" kind="tx" value={signature} />,
              <BlockLink key="slot" number={quantityAt(one, 'slot') ?? 0n} />,
              <Age key="age" seconds={Number(quantityAt(one, 'blockTime') ?? 0n)} />,
              <Outcome key="outcome" isSuccess={(at(one, 'err') ?? null) === null} />,
            ],
          };
        })}
        empty={texts.scanNone}
      />
      <p className={styles.note}>{texts.recentHint}</p>
    </Card>
  );
}
