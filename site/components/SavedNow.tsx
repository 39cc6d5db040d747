import * as common from '#messages/common.ts';

/** What is saved now, under a field whose text was refused because that changed in the meantime. */
export const SavedNow = ({ text }: { text: string }) => (
  <div className="rounded-md border border-line bg-sunken px-3 py-2 text-sm">
    <p className="text-muted">{common.savedNow}</p>
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {text}
    </p>
  </div>
);
