import { useLocation, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from 'react';
import type { UseFound } from '../feature.ts';
import { features } from '../features.ts';
import { AddressNamesContext } from '../parts/addressNames.ts';
import { useFeature } from '../parts/useFeature.ts';
import { useKind, useStream } from '../session/context.tsx';
import controls from '../ui/controls.module.css';
import { Dialog } from '../ui/Dialog.tsx';
import type { Result } from './result.ts';
import { resultsOf } from './results.ts';
import styles from './search.module.css';
import { texts } from './texts.ts';

const pages = features.flatMap(({ workspaceSections = [], accountPages = [] }) => [
  ...workspaceSections.map(({ path, label }) => ({ path: `/settings${path}`, label })),
  ...accountPages,
]);

interface Results {
  results: Result[];
  /** Whether chains, or the service, are still asked, or the objects of the workspace still come. */
  isLooking: boolean;
}

function useResults(text: string, useFound: UseFound): Results {
  const { pathname } = useLocation();
  const networkId = /^\/networks\/([^/]+)/.exec(pathname)?.[1];
  const { isComplete } = useStream();
  const found = useFound(text, networkId);
  const results = resultsOf(text, {
    networks: [...useKind('network').objects.values()],
    tokens: [...useKind('token').objects.values()],
    recordings: [...useKind('recording').objects.values()],
    secrets: [...useKind('secret').objects.values()],
    addresses: useContext(AddressNamesContext),
    book: useFeature('addressNames')?.path ?? '',
    pages,
    networkId,
    explorer: useFeature('explorer'),
    found,
  });
  return { results, isLooking: found.isLooking || !isComplete };
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

interface SearchDialogProps {
  isOpen: boolean;
  onClose: () => void;
  useFound?: UseFound | undefined;
}

const useNothing: UseFound = () => ({ onChains: [], named: [], isLooking: false });

/** Everything that can be opened by its name, from anywhere. */
export function SearchDialog({ isOpen, onClose, useFound = useNothing }: SearchDialogProps) {
  return (
    <Dialog title={texts.title} isOpen={isOpen} isWide onClose={onClose}>
      <Content useFound={useFound} onClose={onClose} />
    </Dialog>
  );
}

function Content({ useFound, onClose }: { useFound: UseFound; onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Result['key']>();
  const navigate = useNavigate();
  const id = useId();
  const { results, isLooking } = useResults(text, useFound);
  // The first one until the user moves; then that one, wherever other results move it.
  const active = Math.max(
    0,
    results.findIndex(({ key }) => key === chosen),
  );
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const open = (result: Result | undefined) => {
    if (!result) return;
    onClose();
    void navigate({ href: result.path });
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) open(results[active]);
    else setChosen(results[(active + step + results.length) % Math.max(1, results.length)]?.key);
  };
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: who opens a search types next.
        autoFocus
        role="combobox"
        aria-label={texts.title}
        aria-expanded={results.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={results.length > 0 ? `${id}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={texts.placeholder}
        className={controls.input}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
      />
      <p className={styles.count} role="status">
        {isLooking ? texts.looking : results.length === 0 ? texts.none : texts.count(results.length)}
      </p>
      <div role="listbox" id={`${id}-list`} aria-label={texts.results} className={styles.list} ref={list}>
        {results.map((result, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are for the field, which keeps the focus.
          <div
            key={result.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.option}
            onClick={() => open(result)}
            onMouseMove={() => setChosen(result.key)}
          >
            <span className={styles.kind}>{texts.kinds[result.kind]}</span>
            <span className={styles.name}>{result.title}</span>
            <span className={styles.detail}>{result.detail}</span>
          </div>
        ))}
      </div>
    </>
  );
}
