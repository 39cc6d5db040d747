import { RotateCw } from 'lucide-react';
import { useInBrowser } from '../lib/useInBrowser.ts';

/** The arrow of a Refresh button, which turns while a list is asked for again; not before the page is the browser's. */
export function RefreshIcon({ turning }: { turning: boolean }) {
  const inBrowser = useInBrowser();
  return <RotateCw aria-hidden size={16} className={inBrowser && turning ? 'animate-spin' : ''} />;
}
