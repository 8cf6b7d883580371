import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransactionItem } from '../../../../../../sdk/src/generated/types.ts';
import { useInside, useMay } from '../../../../session/context.tsx';
import { Failure } from '../../../../ui/Banner.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../../../ui/Field.tsx';
import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { TargetLink } from '../../parts/links.tsx';
import { DeployForm } from './DeployForm.tsx';
import { isAddress, type SendProps } from './form.ts';
import { Submitted } from './Submitted.tsx';
import { sendAsAccount } from './sendAsAccount.ts';
import { sendByKey } from './sendByKey.ts';
import { TransferForm } from './TransferForm.tsx';
import { texts } from './texts.ts';

const forms = { transfer: TransferForm, deploy: DeployForm } as const;
type Kind = keyof typeof forms;

/** A transfer or a deployment, signed by the service with the caller's key. */
export function SendDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { me } = useInside();
  const { address } = me.user;
  return (
    <Dialog
      title={texts.title}
      text={address ? texts.signer(address) : texts.noAddress}
      isOpen={isOpen}
      isWide
      onClose={onClose}
    >
      <Content onClose={onClose} />
    </Dialog>
  );
}

function Content({ onClose }: { onClose: () => void }) {
  const { client } = useInside();
  const { network } = useExplored();
  const [kind, setKind] = useState<Kind>('transfer');
  const [created, setCreated] = useState<Parameters<SendProps['send']>[1]>();
  const mayImpersonate = useMay('networks:write');
  const [from, setFrom] = useState('');
  const isWrong = from !== '' && !isAddress(from);
  const sending = useMutation({
    mutationFn: async (item: TransactionItem) => ({
      isRecorded: from === '',
      hash: await (from === ''
        ? sendByKey(client, network.id, item)
        : sendAsAccount(client, network.id, { from, item })),
    }),
  });
  const Form = forms[kind];
  const send: SendProps['send'] = (item, contract) => {
    if (sending.isPending || isWrong) return;
    setCreated(contract);
    sending.mutate(item);
  };
  const close = (
    <Button look="quiet" onClick={onClose}>
      {texts.close}
    </Button>
  );
  if (sending.data !== undefined) {
    return (
      <div className={styles.stack}>
        {sending.data.isRecorded ? (
          <Submitted hash={sending.data.hash} contract={created} />
        ) : (
          <p>
            {texts.transaction} <TargetLink kind="tx" value={sending.data.hash} />
          </p>
        )}
        <div>
          <Button onClick={sending.reset}>{texts.another}</Button> {close}
        </div>
      </div>
    );
  }
  return (
    <div className={styles.stack}>
      <SelectField
        label={texts.kind}
        value={kind}
        options={[
          { value: 'transfer', label: texts.kinds.transfer },
          { value: 'deploy', label: texts.kinds.deploy },
        ]}
        onChange={(value) => setKind(value === 'deploy' ? 'deploy' : 'transfer')}
      />
      {mayImpersonate && (
        <TextField
          label={texts.as}
          hint={texts.asHint}
          error={isWrong ? texts.toWrong : undefined}
          isOptional
          value={from}
          onChange={(value) => setFrom(value.trim())}
        />
      )}
      {sending.error && <Failure error={sending.error} />}
      <Form isBusy={sending.isPending} send={send} />
      <div>{close}</div>
    </div>
  );
}
