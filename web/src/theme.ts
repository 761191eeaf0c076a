/** Light or dark: as the system has it, unless the reader chose. */
import { darkTheme, lightTheme, type Theme } from './colour';

type Choice = 'light' | 'dark';
const key = 'fovea-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let choice: Choice | undefined = stored();

/** Pages opened from a file may not store anything. */
function stored(): Choice | undefined {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}

export const theme = (): Theme =>
  (choice ?? (system.matches ? 'dark' : 'light')) === 'dark' ? darkTheme : lightTheme;

function apply() {
  document.documentElement.dataset.theme = theme().dark ? 'dark' : 'light';
  for (const listener of [...listeners]) listener();
}

export function toggleTheme() {
  choice = theme().dark ? 'light' : 'dark';
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Then it holds until the page is closed.
  }
  apply();
}

export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

system.addEventListener('change', apply);
apply();
