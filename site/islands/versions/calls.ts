import type { VersionList, VersionRef } from '#server/documents/versions/contract.ts';
import * as common from '#messages/common.ts';
import { api } from '../../lib/api.ts';
import { linkIn } from '../../lib/downloadLink.ts';

/** The base URL of a version. */
export const versionUrl = ({ item, version }: VersionRef): string =>
  `/api/documents/${item}/versions/${version}`;

/** The API of file versions; changing calls resolve to the new list. Each rejects with an ApiError. */
export const calls = {
  list: (item: number, signal: AbortSignal) =>
    api.get<VersionList>(`/api/documents/${item}/versions`, { signal }),
  restore: (ref: VersionRef) => api.post<VersionList>(`${versionUrl(ref)}/restore`, {}),
  remove: (ref: VersionRef) => api.delete<VersionList>(versionUrl(ref)),
  /** With a null `version`, the present content. */
  keep: (item: number, version: number | null, kept_as: string | null) =>
    api.patch<VersionList>(`/api/documents/${item}/versions/${version ?? 'current'}`, { kept_as }),

  /** A URL of the bytes, valid for five minutes; `inline` to display the file instead of saving it. */
  async link(ref: VersionRef, { inline = false } = {}): Promise<string> {
    const query = inline ? '?inline=1' : '';
    const answer = await api.post(`${versionUrl(ref)}/download-token${query}`, {});
    const url = linkIn(answer, inline ? common.noPreviewLink : common.noDownloadLink);
    return inline ? `${url}&inline=1` : url;
  },
};

export const versionsKey = (item: number) => ['versions', item] as const;
