/**
 * The isolation key of a sandboxed process, which may see several files one after another: those of one client, or
 * those of the firm that belong to no client.
 */
export const ownerOf = ({ firm_id, client_id }: { firm_id: number; client_id: number | null }): string =>
  `${firm_id} ${client_id ?? 'no client'}`;
