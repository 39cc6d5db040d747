/**
 * A condition on items `i` of a client: somebody of the firm has put them there. What waits in an inbox is not filed yet,
 * and what a client has sent is no proof of whose it is, or it could draw another client's papers to itself, unless
 * somebody has confirmed it in Filing.
 */
export const PUT_BY_SOMEBODY = `NOT EXISTS (SELECT 1 FROM filing_inboxes x WHERE x.folder_id = i.parent_id)
  AND (NOT EXISTS (SELECT 1 FROM arrivals s WHERE s.item_id = i.id)
    OR EXISTS (SELECT 1 FROM filed_items d JOIN filing_runs r ON r.id = d.run_id
      WHERE d.item_id = i.id AND d.to_client = i.scope_client_id AND r.undone_at IS NULL AND r.by_itself = 0))`;
