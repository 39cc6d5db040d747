import { useStore } from '@nanostores/react';
import { Monitor, Moon, Sun } from 'lucide-react';
import * as t from '#messages/settings.ts';
import { cx } from '../../lib/cx.ts';
import type { Theme } from '../../lib/preferences.ts';
import { $theme, setTheme } from '../../lib/preferences.ts';

const CHOICES = [
  ['light', t.light, Sun],
  ['dark', t.dark, Moon],
  ['system', t.systemDefault, Monitor],
] as const satisfies readonly (readonly [Theme, string, typeof Sun])[];

export function ThemeChoice() {
  const theme = useStore($theme, { ssr: (): Theme => 'system' });
  return (
    <fieldset>
      <legend className="sr-only">{t.theme}</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-3">
        {CHOICES.map(([id, label, Icon]) => (
          <label
            key={id}
            className={cx(
              'flex h-11 items-center gap-2.5 rounded-md border px-3.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring',
              theme === id
                ? 'border-accent bg-accent-soft font-medium text-accent-text'
                : 'border-line-strong hover:bg-hover',
            )}
          >
            <input
              type="radio"
              name="theme"
              value={id}
              checked={theme === id}
              onChange={() => setTheme(id)}
              className="sr-only"
            />
            <Icon aria-hidden size={16} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
