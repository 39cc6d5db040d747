import * as t from '#messages/team.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { isoDateInIndia } from '../../lib/format.ts';

const DEFAULT_DELAY_MS = 14 * 24 * 60 * 60_000;

/** Asks for the day from which two-step sign-in is required; today requires it immediately. */
export const TwoStepDayDialog = ({
  from,
  now,
  onClose,
  onChoose,
}: {
  /** The day set now, ISO 8601. */
  from: string | null;
  /** The server's time in milliseconds. */
  now: number;
  onClose: () => void;
  onChoose: (day: string) => Promise<unknown>;
}) => (
  <OneFieldDialog
    title={t.requireTwoStep}
    field={{ name: 'from', type: 'date', label: t.requireFromDay }}
    initial={isoDateInIndia(from === null ? now + DEFAULT_DELAY_MS : Date.parse(from))}
    required={t.dayRequired}
    action={t.requireIt}
    onSave={onChoose}
    failed={t.failed}
    onClose={onClose}
  >
    <p className="text-pretty text-muted">{t.requireFromDayAbout}</p>
  </OneFieldDialog>
);
