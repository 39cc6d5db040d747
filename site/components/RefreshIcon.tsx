import { RotateCw } from 'lucide-react';
import { useInBrowser } from '../lib/useInBrowser.ts';

/** The icon of a Refresh button; it spins while loading, but not in the server-rendered page before hydration. */
export function RefreshIcon({ spinning }: { spinning: boolean }) {
  const inBrowser = useInBrowser();
  return <RotateCw aria-hidden size={16} className={inBrowser && spinning ? 'animate-spin' : ''} />;
}
