import type { ReactNode } from 'react';

export interface ScreenHeaderProps {
  title: string;
  /** How much there is, beside the title. */
  note?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
}

/** The top of a screen: where one is, and what can be done here. */
export const ScreenHeader = ({ title, note, actions }: ScreenHeaderProps) => (
  <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 py-2">
    <h1 className="text-lg font-semibold">{title}</h1>
    <span className="tabular min-w-0 flex-1 truncate text-sm text-muted">{note}</span>
    {actions && <div className="flex flex-wrap items-center gap-1.5">{actions}</div>}
  </header>
);
