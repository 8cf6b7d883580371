import { Banner } from '../../../../console/src/ui/Banner.tsx';
import { Card } from '../../../../console/src/ui/Card.tsx';
import { Code } from '../../../../console/src/ui/code/Code.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { inGwei, percentOf, whole } from '../amounts.ts';
import { useChain, useLiveChain } from '../context.tsx';
import styles from '../explorer.module.css';
import { Age } from '../parts/Age.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { BlockLink, Full } from '../parts/links.tsx';
import { Missing } from '../parts/Missing.tsx';
import { Outcome } from '../parts/Outcome.tsx';
import { Rows } from '../parts/Rows.tsx';
import { texts } from '../texts.ts';
import { decodeInput } from './abi.ts';
import { BlockPage } from './BlockPage.tsx';
import { decodeCreation } from './creation.ts';
import { DecodedView } from './DecodedView.tsx';
import { Logs } from './events/Logs.tsx';
import { blockOf, feeOf, type Log } from './model.ts';
import { readTransaction, type WholeTransaction } from './readTransaction.ts';
import { Trace } from './Trace.tsx';
import { Transfers } from './tokens/TokenTransfers.tsx';
import { transfersOf } from './tokens/transfers.ts';
import { useCoins } from './useCoins.ts';

export function TransactionPage({ hash }: { hash: string }) {
  const result = useLiveChain(
    ['tx', hash],
    (reader) => readTransaction(reader, hash),
    (value) => value?.receipt !== undefined,
  );
  return (
    <Loaded of={result}>
      {(value) => (value ? <TransactionView {...value} /> : <OtherHash hash={hash} />)}
    </Loaded>
  );
}

/** A hash that no transaction has may be that of a block. */
function OtherHash({ hash }: { hash: string }) {
  const block = useChain(['block of', hash], async (reader) => {
    const [answer] = await reader.ask([['eth_getBlockByHash', hash, false]]);
    return blockOf(answer?.result) !== undefined;
  });
  return (
    <Loaded of={block}>{(isBlock) => (isBlock ? <BlockPage value={hash} /> : <Missing what="tx" />)}</Loaded>
  );
}

function TransactionView(all: WholeTransaction) {
  const { receipt, names } = all;
  return (
    <div className={styles.stack}>
      {!receipt && <Banner look="busy" icon="clock" title={texts.pendingText} />}
      <Summary {...all} />
      <Input {...all} />
      {receipt && <Moved logs={receipt.logs} />}
      {receipt && <Logs logs={receipt.logs} names={names} />}
      {receipt && <Trace {...all} />}
    </div>
  );
}

const mostTransfers = 50;

/** Which tokens a transaction moved. */
function Moved({ logs }: { logs: readonly Log[] }) {
  const transfers = logs.flatMap(transfersOf);
  if (transfers.length === 0) return null;
  return (
    <Card title={texts.tokensMoved}>
      <Transfers title={texts.tokensMoved} transfers={transfers.slice(0, mostTransfers)} />
      {transfers.length > mostTransfers && (
        <p className={styles.note}>{texts.moreTransfers(mostTransfers, transfers.length)}</p>
      )}
    </Card>
  );
}

function Summary({ transaction, receipt, at, reason, names }: WholeTransaction) {
  const { hash, from, to, value, nonce, gas, index, blockNumber } = transaction;
  const nameOf = (address: string) => names.get(address.toLowerCase())?.name;
  const created = receipt?.contractAddress;
  const inCoins = useCoins();
  return (
    <Card title={texts.transaction} action={<Outcome isSuccess={receipt?.isSuccess} />}>
      <Rows
        rows={[
          [texts.hash, <Full key="hash" value={hash} label={texts.hash} />],
          [texts.reason, receipt?.isSuccess === false ? <Reason key="reason" reason={reason} /> : undefined],
          [
            texts.block,
            blockNumber === undefined ? undefined : <BlockLink key="block" number={blockNumber} />,
          ],
          [texts.time, at > 0 ? <Age key="time" seconds={at} isFull /> : undefined],
          [texts.from, <Full key="from" kind="address" value={from} label={texts.from} />],
          [
            texts.to,
            to === undefined ? (
              texts.creation
            ) : (
              <Full key="to" kind="address" value={to} name={nameOf(to)} label={texts.to} />
            ),
          ],
          [
            texts.created,
            created ? (
              <Full key="new" kind="address" value={created} name={nameOf(created)} label={texts.created} />
            ) : undefined,
          ],
          [texts.value, inCoins(value)],
          [texts.fee, receipt && feeText({ transaction, receipt, inCoins })],
          [
            texts.gasUsed,
            receipt && texts.gasOf(whole(receipt.gasUsed), whole(gas), percentOf(receipt.gasUsed, gas)),
          ],
          [texts.nonce, whole(nonce)],
          [texts.position, index === undefined ? undefined : whole(index)],
        ]}
      />
    </Card>
  );
}

interface FeeProps {
  transaction: WholeTransaction['transaction'];
  receipt: NonNullable<WholeTransaction['receipt']>;
  inCoins: (amount: bigint) => string;
}

function feeText({ transaction, receipt, inCoins }: FeeProps): string {
  const { gasUsed, gasPrice = transaction.gasPrice ?? 0n, dataFee } = receipt;
  const how = [texts.feeOf(whole(gasUsed), inGwei(gasPrice))];
  if (dataFee) how.push(texts.dataFee(inCoins(dataFee)));
  return `${inCoins(feeOf(receipt, transaction))} (${how.join('; ')})`;
}

function Reason({ reason }: { reason: string | undefined }) {
  return <strong className={styles.reason}>{reason ?? texts.noReason}</strong>;
}

function Input({ transaction: { input, to }, receipt, names }: WholeTransaction) {
  const contract = names.get((to ?? receipt?.contractAddress ?? '').toLowerCase());
  const decode = to === undefined ? decodeCreation : decodeInput;
  const decoded = decode(input, contract?.abi);
  return (
    <Card title={texts.input}>
      <div className={surface.cardBody}>
        {input === '0x' && <p className={styles.muted}>{texts.noInput}</p>}
        {decoded && <DecodedView decoded={decoded} token={contract?.token} />}
        {input !== '0x' && !decoded && to !== undefined && (
          <p className={styles.muted}>{texts.unknownInput}</p>
        )}
        {input !== '0x' && <Code label={texts.data} text={input} shown={cut(input)} />}
      </div>
    </Card>
  );
}

/** Init code may have tens of thousands of digits: the copy has them all. */
function cut(input: string): string {
  const lines = (input.slice(0, 6_400).match(/.{1,64}/g) ?? []).join('\n');
  return input.length > 6_400 ? `${lines}\n… ${whole((input.length - 2) / 2)} bytes` : lines;
}
