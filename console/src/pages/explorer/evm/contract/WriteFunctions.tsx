import { type ReactNode, useState } from 'react';
import { currencyOf } from '../../../../../../sdk/src/currency.ts';
import { toSmallestUnits } from '../../../../lib/units.ts';
import { useInside, useMay } from '../../../../session/context.tsx';
import { Banner, Failure } from '../../../../ui/Banner.tsx';
import { SelectField, TextField } from '../../../../ui/Field.tsx';
import surface from '../../../../ui/surface.module.css';

import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import { texts } from '../../texts.ts';
import { Submitted } from '../send/Submitted.tsx';
import { sendByKey } from '../send/sendByKey.ts';
import { texts as sendTexts } from '../send/texts.ts';
import type { Callable } from './callForm.ts';
import { FunctionForm } from './FunctionForm.tsx';
import { type FunctionsProps, functionsOf, NoAbi } from './ReadFunctions.tsx';
import { sendByWallet } from './sendByWallet.ts';
import { type FoundWallet, useWallets } from './wallets.ts';

const ownKey = ':key';

/** The functions that change the chain, signed by the service with the user's key, or by a wallet of their own. */
export function WriteFunctions(props: FunctionsProps) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState('');
  const mayUseKey = useMay('transactions:write');
  const { contract } = props;
  if (!contract || contract.abi.length === 0) return <NoAbi address={props.address} />;
  const wallet = wallets.find(({ info }) => info.uuid === chosen) ?? (mayUseKey ? undefined : wallets[0]);
  if (!wallet && !mayUseKey) return <Banner look="plain" icon="wallet" title={texts.noWallet} />;
  const own = mayUseKey ? [{ value: ownKey, label: sendTexts.slipwayKey }] : [];
  const callables = functionsOf(props).filter(({ isRead }) => !isRead);
  return (
    <div className={styles.stack}>
      <SelectField
        label={texts.wallets}
        hint={wallet ? texts.walletHint : texts.keyHint}
        value={wallet?.info.uuid ?? ownKey}
        onChange={setChosen}
        options={[...own, ...wallets.map(({ info }) => ({ value: info.uuid, label: info.name }))]}
      />
      <div className={`${surface.card} ${styles.functions}`}>
        {callables.length === 0 && <p className={styles.none}>{texts.noWrite}</p>}
        {callables.map((callable) => (
          <WriteFunction
            key={callable.signature}
            callable={callable}
            wallet={wallet}
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
  /** The service signs when there is none. */
  wallet: FoundWallet | undefined;
  abi: Record<string, unknown>[];
  to: string;
}

function WriteFunction({ callable, wallet, abi, to }: WriteFunctionProps) {
  const { client } = useInside();
  const { network } = useExplored();
  const { symbol } = currencyOf(network.spec.chain.type);
  const [amount, setAmount] = useState('0');
  const [wrong, setWrong] = useState<string>();
  const send = async (data: string): Promise<ReactNode> => {
    const value = toSmallestUnits(amount, 18);
    setWrong(value === undefined ? texts.wrongValue(symbol) : undefined);
    if (value === undefined) return null;
    try {
      if (!wallet) return <Submitted hash={await sendByKey(client, network.id, { to, data, value })} />;
      const chainId = network.status?.chainID ?? '';
      const hash = await sendByWallet(wallet.provider, { chainId, to, data, value: BigInt(value) });
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
