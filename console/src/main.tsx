import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Gate } from './app/Gate.tsx';
import { keepInside } from './app/inside.ts';
import { reloadWithoutParts } from './app/reload.ts';
import { takeLinkToken } from './app/signIn/linkToken.ts';
import { startTheme } from './app/theme.ts';
import { systemClock } from './lib/clock.ts';
import { session } from './session/browser.ts';
import './ui/base.css';
import { Toasts } from './ui/Toasts.tsx';

reloadWithoutParts(window, {
  storage: sessionStorage,
  nowMs: systemClock.nowMs,
  reload: () => location.reload(),
});
takeLinkToken();
startTheme();
keepInside();
void session.start();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Gate />
    <Toasts />
  </StrictMode>,
);
