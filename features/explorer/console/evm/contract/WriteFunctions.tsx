import { type ReactNode, useState } from 'react';
import { toSmallestUnits } from '../../../../../console/src/lib/units.ts';
import { useInside } from '../../../../../console/src/session/context.tsx';
import { Banner, Failure } from '../../../../../console/src/ui/Banner.tsx';
import { TextField } from '../../../../../console/src/ui/Field.tsx';
import surface from '../../../../../console/src/ui/surface.module.css';
import { currencyOf } from '../../../../../sdk/src/currency.ts';
import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import { texts } from '../../texts.ts';
import { explained } from '../send/explained.ts';
import { Submitted } from '../send/Submitted.tsx';
import { sendAsAccount } from '../send/sendAsAccount.ts';
import { sendByKey } from '../send/sendByKey.ts';
import type { Callable } from './callForm.ts';
import { FunctionForm } from './FunctionForm.tsx';
import { type FunctionsProps, functionsOf, NoAbi } from './ReadFunctions.tsx';
import { sendByWallet } from './sendByWallet.ts';
import { type Signer, useSigner } from './useSigner.tsx';

/** The functions that change the chain, signed as the user chooses. */
export function WriteFunctions(props: FunctionsProps) {
  const { signer, choice } = useSigner();
  const { contract } = props;
  if (!contract || contract.abi.length === 0) return <NoAbi address={props.address} />;
  if (!signer) return <Banner look="plain" icon="wallet" title={texts.noWallet} />;
  const callables = functionsOf(props).filter(({ isRead }) => !isRead);
  return (
    <div className={styles.stack}>
      {choice}
      <div className={`${surface.card} ${styles.functions}`}>
        {callables.length === 0 && <p className={styles.none}>{texts.noWrite}</p>}
        {callables.map((callable) => (
          <WriteFunction
            key={callable.signature}
            callable={callable}
            signer={signer}
            abi={contract.abi}
            to={props.address}
          />
        ))}
      </div>
    </div>
  );
}

interface WriteFunctionProps {
  callable: Callable;
  signer: Signer;
  abi: Record<string, unknown>[];
  to: string;
}

function WriteFunction({ callable, signer, abi, to }: WriteFunctionProps) {
  const { client, me } = useInside();
  const { network, reader } = useExplored();
  const { symbol } = currencyOf(network.spec.chain.type);
  const [amount, setAmount] = useState('0');
  const [wrong, setWrong] = useState<string>();
  const sent = (item: { to: string; data: string; value: string }): Promise<string> => {
    if (signer.kind === 'key') return sendByKey(client, network.id, item);
    if (signer.kind === 'account') return sendAsAccount(client, network.id, { from: signer.from, item });
    const chainId = network.status?.chainID ?? '';
    return sendByWallet(signer.wallet.provider, { ...item, chainId, value: BigInt(item.value) });
  };
  const froms = { key: me.user.address, wallet: undefined, account: 'from' in signer ? signer.from : '' };
  const send = async (data: string): Promise<ReactNode> => {
    const value = toSmallestUnits(amount, 18);
    setWrong(value === undefined ? texts.wrongValue(symbol) : undefined);
    if (value === undefined) return null;
    try {
      const item = { to, data, value };
      const hash = await explained(sent(item), { reader, abi }, { ...item, from: froms[signer.kind] });
      if (signer.kind === 'key') return <Submitted hash={hash} />;
      return (
        <p>
          {texts.sentAs} <TargetLink kind="tx" value={hash} />
        </p>
      );
    } catch (error) {
      return <Failure error={error} />;
    }
  };
  const extra = callable.isPayable && (
    <TextField label={texts.valueIn(symbol)} value={amount} error={wrong} onChange={setAmount} />
  );
  return <FunctionForm callable={callable} abi={abi} extra={extra} action={texts.send} run={send} />;
}
