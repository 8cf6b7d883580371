import { CatchBoundary } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gate } from './app/Gate.tsx';
import { keepInside } from './app/inside.ts';
import { reloadAfterUpgrade } from './app/reload.ts';
import { startTheme } from './app/theme.ts';
import { signIn } from './features.ts';
import { systemClock } from './lib/clock.ts';
import { PageProblem } from './loading/Problem.tsx';
import { session } from './session/browser.ts';
import './ui/base.css';
import { Toasts } from './ui/Toasts.tsx';

reloadAfterUpgrade(window, {
  storage: sessionStorage,
  nowMs: systemClock.nowMs,
  reload: () => location.reload(),
  readPage: () => fetch('/', { headers: { Accept: 'text/html' } }).then((answer) => answer.text()),
  script: new URL(import.meta.url).pathname,
});
signIn?.prepare();
startTheme();
keepInside();
void session.start(signIn?.sessions);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <CatchBoundary getResetKey={() => location.href} errorComponent={PageProblem}>
      <Gate />
    </CatchBoundary>
    <Toasts />
  </StrictMode>,
);
