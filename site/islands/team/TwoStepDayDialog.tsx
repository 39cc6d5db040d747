import * as t from '#messages/team.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { isoDateInIndia } from '../../lib/format.ts';

const WEEKS_2 = 14 * 24 * 60 * 60_000;

/** Asks from which day on everybody has to use two-step sign-in; today is at once. */
export const TwoStepDayDialog = ({
  from,
  now,
  onClose,
  onChoose,
}: {
  /** The day so far, ISO 8601. */
  from: string | null;
  /** Milliseconds, the server's. */
  now: number;
  onClose: () => void;
  onChoose: (day: string) => Promise<unknown>;
}) => (
  <OneFieldDialog
    title={t.requireTwoStep}
    field={{ name: 'from', type: 'date', label: t.requireFromDay }}
    initial={isoDateInIndia(from === null ? now + WEEKS_2 : Date.parse(from))}
    required={t.dayRequired}
    action={t.requireIt}
    onSave={onChoose}
    failed={t.failed}
    onClose={onClose}
  >
    <p className="text-pretty text-muted">{t.requireFromDayAbout}</p>
  </OneFieldDialog>
);
