import * as common from '#messages/common.ts';
import { api, messageOf } from './api.ts';
import { downloadFrom } from './download.ts';
import { toast } from './toast.ts';

/** Downloads all files of a client as one ZIP; a failure shows a toast. */
export async function downloadClientFiles(clientId: number): Promise<void> {
  try {
    const { download_url } = await api.post<{ download_url: string }>(
      `/api/clients/${clientId}/download-token`,
    );
    downloadFrom(download_url);
  } catch (error) {
    toast.error(messageOf(error, common.downloadFailed));
  }
}
