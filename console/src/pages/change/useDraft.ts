import { useState } from 'react';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import type { NetworkForm } from '../create/form.ts';
import { asDocument, documentOf, documentText, type NetworkDocument } from './document.ts';
import { type Conflict, conflictsOf, merge } from './merge.ts';
import { formOf, withForm } from './specForm.ts';
import { parseText } from './yamlText.ts';

/** The network as it was when the change began, or when the changes of others were brought in. */
interface Base {
  rev: number | undefined;
  document: NetworkDocument;
}

type Mode = 'form' | 'text';

/** What is being edited. Of the form and the text, the one that is shown has the word. */
interface Draft {
  base: Base;
  mode: Mode;
  /** What the form began with. */
  start: NetworkDocument;
  form: NetworkForm;
  text: string;
  /** The newer network, while somebody has to decide between it and the draft. */
  theirs?: Network | undefined;
}

const baseOf = (network: Network): Base => ({ rev: network.metadata.rev, document: documentOf(network) });

/** A draft of this document. */
const editing = (document: NetworkDocument) => ({
  start: document,
  form: formOf(document),
  text: documentText(document),
  theirs: undefined,
});

/** What would be sent now; undefined while the text is none. */
function documentIn({ mode, start, form, text }: Draft): NetworkDocument | undefined {
  return mode === 'form' ? withForm(start, form) : asDocument(parseText(text).value);
}

export function useDraft(network: Network) {
  const [draft, setDraft] = useState<Draft>(() => {
    const base = baseOf(network);
    return { base, mode: 'form', ...editing(base.document) };
  });
  const change = (parts: Partial<Draft>) => setDraft((now) => ({ ...now, ...parts }));
  const document = documentIn(draft);
  const sides = (theirs: Network) => ({
    base: draft.base.document,
    theirs: documentOf(theirs),
    mine: document,
  });
  const settle = (theirs: Network, choose: (conflict: Conflict) => 'theirs' | 'mine') => {
    const merged = merge(sides(theirs), choose) as NetworkDocument;
    change({ base: baseOf(theirs), ...editing(merged) });
  };
  return {
    base: draft.base,
    mode: draft.mode,
    form: draft.form,
    text: draft.text,
    document,
    conflicts: draft.theirs && document ? conflictsOf(sides(draft.theirs)) : undefined,
    setForm: (parts: Partial<NetworkForm>) =>
      setDraft((now) => ({ ...now, form: { ...now.form, ...parts } })),
    setText: (text: string) => change({ text }),
    setMode: (mode: Mode) => document && change({ mode, ...editing(document) }),
    /** Brings in what `theirs` changed. Where both changed the same, somebody decides first. */
    bring(theirs: Network) {
      if (!document) return;
      if (conflictsOf(sides(theirs)).length > 0) return change({ theirs });
      settle(theirs, () => 'mine');
    },
    settle: (choose: (conflict: Conflict) => 'theirs' | 'mine') =>
      draft.theirs && settle(draft.theirs, choose),
  };
}
