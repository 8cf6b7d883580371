import { useState } from 'react';
import { systemClock } from '../lib/clock.ts';
import { copyText } from '../lib/copy.ts';
import { IconButton } from './Button.tsx';
import { texts } from './texts.ts';
import { tellFailure } from './toasts.ts';

const shownMs = 2_000;

/** Copies a text that may be hidden, and says that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return tellFailure(new Error(texts.copyFailed));
    setCopied(true);
    systemClock.after(shownMs, () => setCopied(false));
  };
  return (
    <IconButton
      isSmall
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? texts.copied : label}
      onClick={() => void copy()}
    />
  );
}
