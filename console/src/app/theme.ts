import { createStore } from '../lib/store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const item = 'slipway-theme';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

export const theme = createStore<Theme>(themeNamed(localStorage.getItem(item)));

export function themeNamed(text: string | null): Theme {
  return themes.find((one) => one === text) ?? 'system';
}

/** Shows the theme now and whenever it, or that of the system, changes. */
export function startTheme(): void {
  const show = () => {
    const chosen = theme.get();
    document.documentElement.dataset.theme =
      chosen === 'system' ? (prefersDark.matches ? 'dark' : 'light') : chosen;
  };
  prefersDark.addEventListener('change', show);
  theme.subscribe(() => {
    localStorage.setItem(item, theme.get());
    show();
  });
  show();
}
