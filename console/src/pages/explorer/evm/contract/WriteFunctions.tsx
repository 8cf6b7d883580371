import { type ReactNode, useState } from 'react';
import { currencyOf } from '../../../../../../sdk/src/currency.ts';
import { toSmallestUnits } from '../../../../lib/units.ts';
import { Banner, Failure } from '../../../../ui/Banner.tsx';
import { SelectField, TextField } from '../../../../ui/Field.tsx';
import surface from '../../../../ui/surface.module.css';

import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import { texts } from '../../texts.ts';
import type { Callable } from './callForm.ts';
import { FunctionForm } from './FunctionForm.tsx';
import { type FunctionsProps, functionsOf, NoAbi } from './ReadFunctions.tsx';
import { sendByWallet } from './sendByWallet.ts';
import { type FoundWallet, useWallets } from './wallets.ts';

/** The functions that change the chain, signed and sent by a wallet of the user's own. */
export function WriteFunctions(props: FunctionsProps) {
  const wallets = useWallets();
  const [chosen, setChosen] = useState('');
  const { contract } = props;
  if (!contract || contract.abi.length === 0) return <NoAbi />;
  const wallet = wallets.find(({ info }) => info.uuid === chosen) ?? wallets[0];
  if (!wallet) return <Banner look="plain" icon="wallet" title={texts.noWallet} />;
  const callables = functionsOf(props).filter(({ isRead }) => !isRead);
  return (
    <div className={styles.stack}>
      <SelectField
        label={texts.wallets}
        hint={texts.walletHint}
        value={wallet.info.uuid}
        onChange={setChosen}
        options={wallets.map(({ info }) => ({ value: info.uuid, label: info.name }))}
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
  wallet: FoundWallet;
  abi: Record<string, unknown>[];
  to: string;
}

function WriteFunction({ callable, wallet, abi, to }: WriteFunctionProps) {
  const { network } = useExplored();
  const { symbol } = currencyOf(network.spec.chain.type);
  const [amount, setAmount] = useState('0');
  const [wrong, setWrong] = useState<string>();
  const send = async (data: string): Promise<ReactNode> => {
    const value = toSmallestUnits(amount, 18);
    setWrong(value === undefined ? texts.wrongValue(symbol) : undefined);
    if (value === undefined) return null;
    try {
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
