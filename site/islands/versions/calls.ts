import type { VersionList, VersionRef } from '#server/documents/versions/contract.ts';
import { api } from '../../lib/api.ts';

/** The address below which all of a version lies. */
export const versionUrl = ({ item, version }: VersionRef): string =>
  `/api/documents/${item}/versions/${version}`;

/** What is asked about versions of a file; what changes them answers with the list as it is then. Each rejects with an ApiError. */
export const calls = {
  list: (item: number, signal: AbortSignal) =>
    api.get<VersionList>(`/api/documents/${item}/versions`, { signal }),
  restore: (ref: VersionRef) => api.post<VersionList>(`${versionUrl(ref)}/restore`, {}),
  remove: (ref: VersionRef) => api.delete<VersionList>(versionUrl(ref)),
  /** With a null `version`, the present content. */
  keep: (item: number, version: number | null, kept_as: string | null) =>
    api.patch<VersionList>(`/api/documents/${item}/versions/${version ?? 'current'}`, { kept_as }),

  /** A link to the bytes, good for five minutes; `inline` to show them instead of saving. */
  async link(ref: VersionRef, { inline = false } = {}): Promise<string> {
    const query = inline ? '?inline=1' : '';
    const { download_url } = await api.post<{ download_url: string }>(
      `${versionUrl(ref)}/download-token${query}`,
      {},
    );
    return inline ? `${download_url}&inline=1` : download_url;
  },
};

export const versionsKey = (item: number) => ['versions', item] as const;
