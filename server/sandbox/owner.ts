/**
 * Names those whose files one process may see, one after another: the files of one client of a firm, or those of the firm
 * that belong to no client.
 */
export const ownerOf = ({ firm_id, client_id }: { firm_id: number; client_id: number | null }): string =>
  `${firm_id} ${client_id ?? 'no client'}`;
