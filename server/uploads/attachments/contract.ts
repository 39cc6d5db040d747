import * as v from 'valibot';

const CHOOSE = 'Choose attachments of this e-mail';
/** An e-mail lists no more of them. */
const ATTACHMENTS_MAX = 500;

/** The body of `POST /api/documents/{id}/attachments/save`. */
export const saveRequest = v.object({
  /** Positions in the e-mail, as its view lists them; null for all. */
  attachments: v.nullable(
    v.pipe(
      v.array(v.pipe(v.number(CHOOSE), v.safeInteger(CHOOSE)), CHOOSE),
      v.minLength(1, CHOOSE),
      v.maxLength(ATTACHMENTS_MAX, CHOOSE),
    ),
  ),
});
export type SaveRequest = v.InferOutput<typeof saveRequest>;

/** What became of the attachments of a request, in their order. */
export interface SavedAttachments {
  /**
   * The documents, with the folder in which this person sees them. `attachment`: its name in the e-mail, of which the
   * document's differs where that was taken. `earlier`: this person had saved it before, and the document still has that content.
   */
  saved: { id: number; name: string; attachment: string; parent_id: number | null; earlier: boolean }[];
  /** Those that are not accepted here, with the reason. */
  refused: { name: string; message: string }[];
}
