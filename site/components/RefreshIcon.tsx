import { RotateCw } from 'lucide-react';
import { useHydrated } from '../lib/useHydrated.ts';

/** The icon of a Refresh button; it spins while loading, but not in the server-rendered page before hydration. */
export function RefreshIcon({ spinning }: { spinning: boolean }) {
  const inBrowser = useHydrated();
  return <RotateCw aria-hidden size={16} className={inBrowser && spinning ? 'animate-spin' : ''} />;
}
