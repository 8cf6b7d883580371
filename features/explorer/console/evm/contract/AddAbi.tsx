import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { abiIn } from '../../../../../core/abi/artifact.ts';
import { keepAbi } from '../../abis.ts';
import { useExplored } from '../../context.tsx';
import { JsonFile } from '../../parts/JsonFile.tsx';
import { texts } from '../../texts.ts';

/** Takes the ABI of a contract that nobody verified, from a file. It stays in this browser. */
export function AddAbi({ address }: { address: string }) {
  const { network, enclaveID, reader } = useExplored();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const add = async (file: File | undefined) => {
    setProblem(undefined);
    if (!file) return;
    try {
      const value: unknown = JSON.parse(await file.text());
      const abi = abiIn(value);
      if (!abi) throw new Error(texts.noAbiInFile);
      keepAbi(localStorage, { enclaveID, address }, { name: file.name.replace(/\.json$/, ''), abi });
      reader.forget(address);
      // Everything that was decoded without it is read again.
      await queries.invalidateQueries({ queryKey: ['chain', network.id, enclaveID] });
    } catch (error) {
      setProblem(
        error instanceof SyntaxError
          ? texts.noAbiInFile
          : String(error instanceof Error ? error.message : error),
      );
    }
  };
  return (
    <JsonFile
      label={texts.addAbi}
      hint={texts.addAbiHint}
      error={problem}
      onChoose={(file) => void add(file)}
    />
  );
}
