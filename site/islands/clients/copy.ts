import { toast } from '../../lib/toast.ts';

/** Puts a number into the clipboard, and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(`${text} copied`);
  } catch {
    toast.error('The browser did not let it be copied.');
  }
}
