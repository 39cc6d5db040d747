import * as common from '#messages/common.ts';
import { api, messageOf } from './api.ts';
import { save } from './save.ts';
import { toast } from './toast.ts';

/** Downloads all files of a client as one ZIP, and says when that is not possible. */
export async function downloadFiles(clientId: number): Promise<void> {
  try {
    const { download_url } = await api.post<{ download_url: string }>(
      `/api/clients/${clientId}/download-token`,
    );
    save(download_url);
  } catch (error) {
    toast.error(messageOf(error, common.downloadFailed));
  }
}
