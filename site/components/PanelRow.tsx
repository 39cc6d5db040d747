import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import * as common from '#messages/common.ts';
import { MiddleCut } from './MiddleCut.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { cx } from '../lib/cx.ts';

export interface PanelRowProps {
  icon: ReactNode;
  name: string;
  /** The progress or the result in words. */
  detail: string;
  failed: boolean;
  /** 0 to 100 while running; null otherwise. */
  progress: number | null;
  /** The accessible name of the progress bar. */
  label?: string;
  done: boolean;
  /** Buttons at the end of the row. */
  actions?: ReactNode;
  /** Rendered below the detail. */
  children?: ReactNode;
  /** `data-` attributes of the row's element. */
  data: Record<`data-${string}`, string | number>;
}

/** A row of the upload panel: an upload or an extraction. */
export function PanelRow(row: PanelRowProps) {
  const { icon, name, detail, failed, progress, label = name, done, actions, children, data } = row;
  return (
    <li className="flex items-start gap-3 border-b border-line py-2 pr-2 pl-4 last:border-b-0" {...data}>
      <span className="flex h-9 shrink-0 items-center">{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0">
          <MiddleCut text={name} />
        </p>
        <p
          className={cx(
            'tabular text-xs',
            failed ? 'text-danger-text' : 'text-muted',
            // The text changes every second: it must not wrap and change the row's height.
            progress === null ? 'break-words' : 'truncate',
          )}
        >
          {detail}
        </p>
        {progress !== null && <ProgressBar value={progress} label={label} className="mt-1" />}
        {children}
      </div>
      <span className="flex min-h-9 shrink-0 items-center">
        {done && (
          <span className="flex size-7 items-center justify-center text-success-text">
            <Check size={18} aria-label={common.completed} />
          </span>
        )}
        {actions}
      </span>
    </li>
  );
}
