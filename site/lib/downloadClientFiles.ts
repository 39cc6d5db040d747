import * as common from '#messages/common.ts';
import { api, messageOf } from './api.ts';
import { downloadFrom } from './download.ts';
import { linkIn } from './downloadLink.ts';
import { toast } from './toast.ts';

/** Downloads all files of a client as one ZIP; a failure shows a toast. */
export async function downloadClientFiles(clientId: number): Promise<void> {
  try {
    downloadFrom(linkIn(await api.post(`/api/clients/${clientId}/download-token`)));
  } catch (error) {
    toast.error(messageOf(error, common.downloadFailed));
  }
}
