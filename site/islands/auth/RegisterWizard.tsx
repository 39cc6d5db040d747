import type { FormEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { useFirstFocus } from '../../components/useFirstFocus.ts';
import type { Errors, Field, Values } from '../../lib/registration.ts';
import { EMPTY, LAST_STEP, STEPS, mapServerErrors, stepErrors, formatTyped } from '../../lib/registration.ts';
import { forgetRegistration, keepRegistration, keptRegistration } from '../../lib/keptRegistration.ts';
import { register } from '../../lib/signIn.ts';
import { flash } from '../../lib/toast.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { RegisterFields } from './RegisterFields.tsx';
import { RegisterReview } from './RegisterReview.tsx';
import { StepList } from './StepList.tsx';

/** Starts with what was typed before a reload, which the server does not know. */
function RegisterIsland({ appName }: { appName: string }) {
  const isHydrated = useHydrated();
  const kept = useMemo(() => (isHydrated ? keptRegistration() : null), [isHydrated]);
  return <RegisterForm key={kept ? 'kept' : 'new'} appName={appName} {...kept} />;
}

interface RegisterFormProps {
  appName: string;
  values?: Values;
  step?: number;
  again?: boolean;
}

function RegisterForm({
  appName,
  values: kept = EMPTY,
  step: keptStep = 0,
  again = false,
}: RegisterFormProps) {
  const [values, setValues] = useState<Values>(kept);
  const [errors, setErrors] = useState<Errors>({});
  const [step, setStep] = useState(keptStep);
  const [alert, setAlert] = useState(again ? t.passwordNotKept : undefined);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form);
  /** The element to focus after the next render: a field by name, or the step's heading. */
  const focusTarget = useRef<Field | 'heading' | null>(null);
  const current = STEPS[step] ?? STEPS[0];

  useEffect(() => {
    const target = focusTarget.current;
    focusTarget.current = null;
    if (target === null) return;
    const selector = target === 'heading' ? 'h2' : `[name="${target}"]`;
    form.current?.querySelector<HTMLElement>(selector)?.focus();
  });

  useEffect(() => {
    if (values !== EMPTY) keepRegistration(values, step);
  }, [values, step]);

  function edit(field: Field, value: string | boolean): void {
    setValues((old) => ({
      ...old,
      [field]: typeof value === 'string' ? formatTyped(field, value, String(old[field])) : value,
    }));
    setErrors((old) => ({ ...old, [field]: undefined }));
    setAlert(undefined);
  }

  function goTo(to: number, fieldErrors: Errors = {}): void {
    const fields = STEPS[to]?.fields ?? [];
    focusTarget.current =
      fields.find((field) => fieldErrors[field]) ?? (to === LAST_STEP ? 'heading' : (fields[0] ?? null));
    setErrors(fieldErrors);
    setAlert(undefined);
    setStep(to);
  }

  async function create(): Promise<void> {
    setBusy(true);
    setAlert(undefined);
    const outcome = await register(values).catch(() => ({
      ok: false as const,
      message: common.noConnection,
      errors: undefined,
    }));
    if (outcome.ok) {
      forgetRegistration();
      const description = t.welcomeTo(appName, outcome.user.name);
      flash({ title: t.accountCreated, description, duration: 4000 });
      location.replace('/dashboard');
      return;
    }
    setBusy(false);
    const placed = outcome.errors && mapServerErrors(outcome.errors);
    if (placed) goTo(placed.step, placed.errors);
    else setAlert(outcome.message || t.registrationFailed);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (busy) return;
    const fieldErrors = stepErrors(step, values);
    if (Object.keys(fieldErrors).length > 0) goTo(step, fieldErrors);
    else if (step < LAST_STEP) goTo(step + 1);
    else void create();
  }

  return (
    <div className="grid gap-8 md:grid-cols-[11rem_1fr] md:gap-12">
      <StepList current={step} onBack={(to) => !busy && goTo(to)} />
      <form ref={form} method="post" noValidate onSubmit={submit} className="min-w-0">
        <fieldset aria-labelledby="step-title" className="flex min-w-0 md:min-h-[23rem] flex-col gap-5">
          <div>
            <h2 id="step-title" tabIndex={-1} className="text-lg font-semibold outline-none">
              {current?.title}
            </h2>
            <p className="text-muted">{current?.subtitle}</p>
          </div>
          {alert && <Alert>{alert}</Alert>}
          {step < LAST_STEP ? (
            <RegisterFields step={step} values={values} errors={errors} onEdit={edit} />
          ) : (
            <RegisterReview values={values} errors={errors} onEdit={edit} />
          )}
        </fieldset>
        <div className="mt-8 flex items-center justify-between gap-3 border-t border-line pt-5">
          {step > 0 ? (
            <Button size="lg" isDisabled={busy} onPress={() => goTo(step - 1)}>
              {t.previous}
            </Button>
          ) : (
            <span />
          )}
          {step < LAST_STEP ? (
            <Button type="submit" variant="primary" size="lg" className="min-w-28">
              {t.next}
            </Button>
          ) : (
            <Button type="submit" variant="primary" size="lg" busy={busy} busyLabel={t.creatingAccount}>
              {t.createAccount}
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}

export const RegisterWizard = withErrorBoundary(RegisterIsland);
