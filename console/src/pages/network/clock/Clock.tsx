import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { adminNode } from '../../../../../sdk/src/adminNode.ts';
import type { Network } from '../../../../../sdk/src/generated/types.ts';
import { isEvm } from '../../../lib/chains.ts';
import { absoluteTime } from '../../../lib/time.ts';
import { useInside, useMay } from '../../../session/context.tsx';
import { Failure } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { TextField } from '../../../ui/Field.tsx';
import surface from '../../../ui/surface.module.css';
import { stateOf } from '../../networks/filter.ts';
import styles from '../network.module.css';
import { blocksIn, type CallNode, mine, moveForward, type Newest, secondsIn } from './clock.ts';
import { texts } from './texts.ts';

/** The blocks and the clock of a chain that runs and can be changed by hand. */
export function Clock({ network }: { network: Network }) {
  const mayWrite = useMay('networks:write');
  const hasAdmin = network.status?.endpoints?.admin !== undefined;
  const isRunning = stateOf(network) === 'Operational';
  if (!mayWrite || !hasAdmin || !isRunning || !isEvm(network.spec.chain.type)) return null;
  return (
    <Card title={texts.title}>
      <Forms id={network.id} />
    </Card>
  );
}

type Change = (call: CallNode) => Promise<Newest>;

function Forms({ id }: { id: string }) {
  const { client } = useInside();
  const [blocks, setBlocks] = useState('1');
  const [time, setTime] = useState('1h');
  const change = useMutation({
    mutationFn: async (run: Change) => {
      const call = await adminNode(client, id);
      if (!call) throw new Error(texts.noAdmin);
      return run(call);
    },
  });
  // One after the other: a node may lose a block of two changes at once.
  const start = (run: Change) => {
    if (!change.isPending) change.mutate(run);
  };
  const { error, data, isPending } = change;
  const count = blocksIn(blocks);
  const seconds = secondsIn(time);
  return (
    <div className={surface.cardBody}>
      <p className={styles.muted}>{texts.hint}</p>
      <Line
        label={texts.blocks}
        value={blocks}
        error={count === undefined ? texts.blocksWrong : undefined}
        action={texts.mine}
        isBusy={isPending}
        onChange={setBlocks}
        onSubmit={() => count !== undefined && start((call) => mine(call, count))}
      />
      <Line
        label={texts.time}
        hint={texts.timeHint}
        value={time}
        error={seconds === undefined ? texts.timeWrong : undefined}
        action={texts.move}
        isBusy={isPending}
        onChange={setTime}
        onSubmit={() => seconds !== undefined && start((call) => moveForward(call, seconds))}
      />
      {error && <Failure error={error} />}
      {data && <p role="status">{texts.newest(data.number, absoluteTime(data.at))}</p>}
    </div>
  );
}

interface LineProps {
  label: string;
  hint?: string;
  value: string;
  error: string | undefined;
  action: string;
  isBusy: boolean;
  onChange: (value: string) => void;
  onSubmit: () => void;
}

function Line({ label, hint, value, error, action, isBusy, onChange, onSubmit }: LineProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.inline} onSubmit={submit} noValidate>
      <TextField label={label} hint={hint} error={error} value={value} onChange={onChange} />
      <Button type="submit" isBusy={isBusy}>
        {action}
      </Button>
    </form>
  );
}
