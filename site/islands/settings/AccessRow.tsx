import type { ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';

export interface AccessRowProps {
  icon: LucideIcon;
  name: string;
  /** Rendered below the name. */
  children: ReactNode;
  /** Buttons. */
  actions: ReactNode;
}

/** A list of AccessRow. */
export function AccessRows({ children }: { children: ReactNode }) {
  return <ul className="w-full divide-y divide-line rounded-md border border-line">{children}</ul>;
}

/** A means of access to the account: a passkey, an app password or a program. */
export function AccessRow({ icon: Icon, name, children, actions }: AccessRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3.5 gap-y-2 px-3.5 py-3">
      <Icon aria-hidden size={18} className="shrink-0 text-muted" />
      <div className="min-w-40 flex-1">
        <p className="font-medium break-words">{name}</p>
        {children}
      </div>
      <div className="flex gap-2">{actions}</div>
    </li>
  );
}
