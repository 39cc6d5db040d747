import * as t from '#messages/clients.ts';
import { toast } from '../../lib/toast.ts';

/** Puts a number into the clipboard, and says so. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(t.copied(text));
  } catch {
    toast.error(t.copyBlocked);
  }
}
