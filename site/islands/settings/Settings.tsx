import { useState } from 'react';
import type { AuditPage } from '#server/audit/contract.ts';
import type { DeviceView, TwoStepStatus, UserView } from '#server/auth/contract.ts';
import { Devices } from './Devices.tsx';
import { Exports } from './Exports.tsx';
import { History } from './History.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { Section } from './Section.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import { TwoStep } from './TwoStep.tsx';

export interface SettingsProps {
  viewer: UserView;
  twoStep: TwoStepStatus;
  devices: DeviceView[];
  /** Null for those who may not read it. */
  history: AuditPage | null;
  now: number;
}

export function Settings({ viewer, twoStep, devices: initial, history, now }: SettingsProps) {
  const [devices, setDevices] = useState(initial);
  const onlyThis = () => setDevices(devices.filter(({ is_current }) => is_current));
  return (
    <>
      <Section id="profile" title="Profile" about="Who you are, for your colleagues and on what you share.">
        <ProfileForm viewer={viewer} mayRenameFirm={viewer.permissions.includes('team.manage')} />
      </Section>
      <Section id="password" title="Password" about="Changing it signs out all your other devices.">
        <PasswordForm email={viewer.email} onChanged={onlyThis} />
      </Section>
      <Section
        id="two-step"
        title="Two-step sign-in"
        about="A code from your phone beside the password. The one thing that stops a stolen password."
      >
        <TwoStep status={twoStep} />
      </Section>
      <Section
        id="devices"
        title="Signed-in devices"
        about="Where your account is open now. Sign out what you do not know, then change the password."
      >
        <Devices devices={devices} now={now} onChange={setDevices} />
      </Section>
      <Section id="theme" title="Appearance" about="Kept on this device.">
        <ThemeChoice />
      </Section>
      {history && (
        <>
          <Section
            id="export"
            title="Your data"
            about="Every file in its folder, the clients and the history as tables: yours, at any time, on any plan."
          >
            <Exports />
          </Section>
          <Section
            id="history"
            title="History"
            about="Who did what, and from where. Nobody can change it, not even an admin."
          >
            <History first={history} />
          </Section>
        </>
      )}
    </>
  );
}
