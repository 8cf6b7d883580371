import { type FormEvent, useState } from 'react';
import { toSmallestUnits } from '../../../../../console/src/lib/units.ts';
import { useAddressHint } from '../../../../../console/src/parts/useAddressHint.ts';
import { Button } from '../../../../../console/src/ui/Button.tsx';
import { TextField } from '../../../../../console/src/ui/Field.tsx';
import { currencyOf } from '../../../../../sdk/src/currency.ts';
import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { isAddress, type SendProps } from './form.ts';
import { texts } from './texts.ts';

export function TransferForm({ isBusy, send }: SendProps) {
  const { network } = useExplored();
  const { symbol, decimals } = currencyOf(network.spec.chain.type);
  const [to, setTo] = useState('');
  const [amount, setAmount] = useState('1');
  const [isTried, setTried] = useState(false);
  const hint = useAddressHint(to);
  const value = toSmallestUnits(amount, decimals);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isAddress(to.trim()) && value !== undefined) send({ to: to.trim(), value });
  };
  return (
    <form className={styles.stack} onSubmit={submit} noValidate>
      <TextField
        label={texts.to}
        hint={hint}
        error={isTried && !isAddress(to.trim()) ? texts.toWrong : undefined}
        value={to}
        onChange={setTo}
      />
      <TextField
        label={texts.amount(symbol)}
        error={value === undefined ? texts.amountWrong : undefined}
        value={amount}
        inputMode="decimal"
        onChange={setAmount}
      />
      <div>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.send}
        </Button>
      </div>
    </form>
  );
}
