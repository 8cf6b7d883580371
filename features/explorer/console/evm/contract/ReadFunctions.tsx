import { Failure } from '../../../../../console/src/ui/Banner.tsx';
import { Empty } from '../../../../../console/src/ui/Empty.tsx';
import surface from '../../../../../console/src/ui/surface.module.css';
import { useExplored } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { textAt } from '../../fields.ts';
import type { NamedContract } from '../../reader.ts';
import { texts } from '../../texts.ts';
import { type Abi, decodeOutput, revertReason } from '../abi.ts';
import { Values } from '../DecodedView.tsx';
import { revertDataIn } from '../model.ts';
import { AddAbi } from './AddAbi.tsx';
import { type Callable, callablesOf } from './callForm.ts';
import { FunctionForm } from './FunctionForm.tsx';

export interface FunctionsProps {
  address: string;
  code: string;
  contract: NamedContract | undefined;
}

/** The functions of a contract. An ABI that several contracts share is cut to what the code has. */
export function functionsOf({ contract, code }: FunctionsProps): Callable[] {
  if (!contract) return [];
  const all = callablesOf(contract.abi);
  const inCode = callablesOf(contract.abi, code);
  // A proxy has none of the selectors of what it stands before.
  return contract.origin === 'token' && inCode.length > 1 ? inCode : all;
}

export function NoAbi({ address }: { address: string }) {
  return (
    <div className={surface.card}>
      <Empty icon="search" title={texts.noAbi} text={texts.noAbiText} />
      <div className={surface.cardBody}>
        <AddAbi address={address} />
      </div>
    </div>
  );
}

/** The functions that only read, called at the newest block. */
export function ReadFunctions(props: FunctionsProps) {
  const { reader } = useExplored();
  const { address, contract } = props;
  if (!contract || contract.abi.length === 0) return <NoAbi address={address} />;
  const callables = functionsOf(props).filter(({ isRead }) => isRead);
  const call = async (callable: Callable, data: string) => {
    const [answer] = await reader
      .ask([['eth_call', { to: address, data }, 'latest']])
      .catch((error: unknown) => [{ error: { message: String(error) }, result: undefined }]);
    return <ReadAnswer callable={callable} answer={answer} abi={contract.abi} />;
  };
  return (
    <div className={`${surface.card} ${styles.functions}`}>
      {callables.length === 0 && <p className={styles.none}>{texts.noRead}</p>}
      {callables.map((callable) => (
        <FunctionForm
          key={callable.signature}
          callable={callable}
          abi={contract.abi}
          action={texts.call}
          run={(data) => call(callable, data)}
        />
      ))}
    </div>
  );
}

interface ReadAnswerProps {
  callable: Callable;
  answer: { result?: unknown; error?: { message: string; data?: unknown } | undefined } | undefined;
  abi: Abi;
}

function ReadAnswer({ callable, answer, abi }: ReadAnswerProps) {
  if (!answer || answer.error) {
    const reason = revertReason(revertDataIn(answer?.error), abi) ?? answer?.error?.message ?? texts.noReason;
    return <Failure error={new Error(reason)} title={texts.reverted} />;
  }
  const data = textAt(answer, 'result') ?? '0x';
  if (data === '0x') return <p className={styles.muted}>{texts.noAnswer}</p>;
  try {
    return <Values values={decodeOutput(callable.fragment, data)} />;
  } catch {
    return <code>{data}</code>;
  }
}
