import { messageOf } from '../../lib/apiError.ts';
import { save } from '../../lib/save.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';

/** Downloads all files of a client as one ZIP, and says when that is not possible. */
export async function downloadFiles(clientId: number): Promise<void> {
  try {
    save(await calls.linkToFiles(clientId));
  } catch (error) {
    toast.error(messageOf(error, 'Failed to download file. Please try again.'));
  }
}
