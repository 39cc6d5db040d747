/**
 * An SQL condition on items `i` of a client: a user of the firm filed them there. Documents in an inbox are not filed
 * yet, and what a client sent in counts only once a user confirmed it in Filing: otherwise one client could attract
 * another's documents.
 */
export const FILED_BY_USER = `NOT EXISTS (SELECT 1 FROM filing_inboxes x WHERE x.folder_id = i.parent_id)
  AND (NOT EXISTS (SELECT 1 FROM arrivals s WHERE s.item_id = i.id)
    OR EXISTS (SELECT 1 FROM filed_items d JOIN filing_runs r ON r.id = d.run_id
      WHERE d.item_id = i.id AND d.to_client = i.scope_client_id AND r.undone_at IS NULL AND r.by_itself = 0))`;
