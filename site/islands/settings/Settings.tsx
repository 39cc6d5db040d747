import { useState } from 'react';
import type { AuditPage } from '#server/audit/contract.ts';
import type { DeviceView, TwoStepStatus, UserView } from '#server/auth/contract.ts';
import { contained } from '../../components/contained.tsx';
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
  /** A new e-mail address that waits for its proof. */
  pendingEmail: string | null;
  twoStep: TwoStepStatus;
  devices: DeviceView[];
  /** Null for those who may not read it. */
  history: AuditPage | null;
  now: number;
}

function SettingsIsland({ viewer, pendingEmail, twoStep, devices: initial, history, now }: SettingsProps) {
  const [devices, setDevices] = useState(initial);
  const onlyThis = () => setDevices(devices.filter(({ is_current }) => is_current));
  return (
    <>
      <Section id="profile" title="Profile" about="Who you are, for your colleagues and on what you share.">
        <ProfileForm
          viewer={viewer}
          pendingEmail={pendingEmail}
          mayRenameFirm={viewer.permissions.includes('team.manage')}
        />
      </Section>
      <Section id="password" title="Password" about="A change signs out all your other devices.">
        <PasswordForm email={viewer.email} onChanged={onlyThis} />
      </Section>
      <Section
        id="two-step"
        title="Two-step sign-in"
        about="Signing in asks for your password and a code from your phone, so a stolen password alone is of no use."
      >
        <TwoStep status={twoStep} />
      </Section>
      <Section
        id="devices"
        title="Signed-in devices"
        about="Where you are signed in now. Sign out any device you do not recognise, then change your password."
      >
        <Devices devices={devices} now={now} onChange={setDevices} />
      </Section>
      <Section id="theme" title="Appearance" about="Saved on this device.">
        <ThemeChoice />
      </Section>
      {history && (
        <>
          <Section
            id="export"
            title="Your data"
            about="Download all files in their folders, with clients and history as tables, at any time and on any plan."
          >
            <Exports />
          </Section>
          <Section
            id="history"
            title="History"
            about="Who did what, when and from where. Entries cannot be edited or deleted, not even by an admin."
          >
            <History first={history} />
          </Section>
        </>
      )}
    </>
  );
}

export const Settings = contained(SettingsIsland);
