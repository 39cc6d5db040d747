import type { PdfPassword } from '#server/reading/locked/contract.ts';
import { passwordUrl } from '#server/reading/locked/contract.ts';
import { api } from '#site/lib/api.ts';

/** The API of PDF passwords. Each call rejects with an ApiError. */
export const passwordCalls = {
  known: async (id: number): Promise<string | null> => (await api.get<PdfPassword>(passwordUrl(id))).password,
  typed: (id: number, password: string, remember: boolean) =>
    api.post<null>(passwordUrl(id), { password, remember }),
};
