import * as t from '#messages/clients.ts';
import { copyText } from '../../lib/copyText.ts';
import { toast } from '../../lib/toast.ts';

/** Copies a client's number, such as the PAN, and reports the result in a toast. */
export async function copy(text: string): Promise<void> {
  if (await copyText(text)) toast.success(t.copied(text));
  else toast.error(t.copyBlocked);
}
