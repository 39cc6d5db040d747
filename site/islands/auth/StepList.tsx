import { Check } from 'lucide-react';
import { count } from '#messages/language.ts';
import * as t from '#messages/auth.ts';
import { cx } from '../../lib/cx.ts';
import { STEPS } from '../../lib/registration.ts';

export interface StepListProps {
  current: number;
  /** Goes back to a step; only the form goes forward. */
  onBack: (step: number) => void;
}

type State = 'done' | 'current' | 'ahead';

const DOT: Record<State, string> = {
  done: 'border-accent bg-accent text-on-accent',
  current: 'border-accent bg-accent-soft text-accent-text',
  ahead: 'border-line-strong bg-surface text-muted',
};

function Entry({ index, state }: { index: number; state: State }) {
  const step = STEPS[index];
  return (
    <>
      <span
        aria-hidden="true"
        className={cx(
          'z-10 flex size-7 shrink-0 items-center justify-center rounded-full border text-sm font-semibold tabular',
          DOT[state],
        )}
      >
        {state === 'done' ? <Check size={15} strokeWidth={2.5} /> : index + 1}
      </span>
      <span className={cx('text-left max-md:hidden', state === 'ahead' && 'text-muted')}>
        <span className={cx('block font-medium', state === 'current' && 'text-accent-text')}>
          {step?.title}
        </span>
        <span className="block text-xs text-muted">{step?.subtitle}</span>
      </span>
      {state === 'done' && <span className="sr-only"> {t.stepDone}</span>}
    </>
  );
}

export function StepList({ current, onBack }: StepListProps) {
  return (
    <nav aria-label={t.registrationSteps}>
      <p className="mb-3 text-sm text-muted md:hidden">{t.stepOf(count(current + 1), count(STEPS.length))}</p>
      <ol className="flex md:flex-col">
        {STEPS.map((step, index) => {
          const state: State = index < current ? 'done' : index === current ? 'current' : 'ahead';
          const last = index === STEPS.length - 1;
          return (
            <li
              key={step.title}
              aria-current={state === 'current' ? 'step' : undefined}
              className={cx('relative flex', !last && 'flex-1 md:pb-7')}
            >
              {!last && (
                <span
                  aria-hidden="true"
                  className={cx(
                    'absolute max-md:top-3.5 max-md:right-0 max-md:left-7 max-md:h-px md:top-7 md:bottom-0 md:left-3.5 md:w-px',
                    index < current ? 'bg-accent' : 'bg-line',
                  )}
                />
              )}
              {state === 'done' ? (
                <button
                  type="button"
                  onClick={() => onBack(index)}
                  className="flex items-start gap-3 rounded-md hover:text-accent-text"
                >
                  <Entry index={index} state={state} />
                </button>
              ) : (
                <span className="flex items-start gap-3">
                  <Entry index={index} state={state} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
