import { useState } from 'react';
import type { ProgramView } from '#server/auth/paired-programs/contract.ts';
import type { DeviceView, TwoStepStatus, UserView } from '#server/auth/contract.ts';
import type { AppPasswordView } from '#server/auth/app-passwords/contract.ts';
import type { PasskeyView } from '#server/auth/passkeys/contract.ts';
import type { LogoView } from '#server/branding/contract.ts';
import type { QuarantineView } from '#server/scanning/contract.ts';
import type { ShareSettings } from '#server/sharing/contract.ts';
import * as apps from '#messages/appPasswords.ts';
import * as keys from '#messages/passkeys.ts';
import * as t from '#messages/settings.ts';
import * as backups from '#messages/backups.ts';
import * as quarantine from '#messages/quarantine.ts';
import * as sharingTexts from '#messages/sharing.ts';
import * as systemTexts from '#messages/system.ts';
import * as common from '#messages/common.ts';
import { open as openHistory } from '#messages/history.ts';
import { buttonClass } from '../../components/buttonClass.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { useClock } from '../../lib/useClock.ts';
import { AppPasswords } from './AppPasswords.tsx';
import { Devices } from './Devices.tsx';
import { Programs } from './Programs.tsx';
import { Exports } from './Exports.tsx';
import { Logo } from './Logo.tsx';
import { Passkeys } from './Passkeys.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { ProfileForm } from './ProfileForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { Section } from './Section.tsx';
import { Sharing } from './Sharing.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import { TwoStep } from './TwoStep.tsx';

export interface SettingsProps {
  viewer: UserView;
  /** A new e-mail address that is not confirmed yet. */
  pendingEmail: string | null;
  twoStep: TwoStepStatus;
  passkeys: PasskeyView[];
  /** Whether passkeys work at this server's address. */
  passkeysAvailable: boolean;
  devices: DeviceView[];
  programs: ProgramView[];
  appName: string;
  /** Null when WebDAV is off. */
  appPasswords: AppPasswordView[] | null;
  /** The WebDAV URL. */
  driveAddress: string;
  /** Whether WebDAV is also available over plain http. */
  drivePlain: boolean;
  /** Whether the user may export all data of the firm. */
  exportsAll: boolean;
  /** Null for users who may not change it. */
  sharing: ShareSettings | null;
  logo: LogoView | null;
  /** Null for users who may not decide about held files, and when there is nothing to show. */
  scanning: QuarantineView | null;
  /** Whether the user is an operator of the installation. */
  isOperator: boolean;
  now: number;
}

function SettingsIsland({
  viewer,
  pendingEmail,
  twoStep: initialTwoStep,
  passkeys: initialPasskeys,
  passkeysAvailable,
  devices: initialDevices,
  programs,
  appName,
  appPasswords,
  driveAddress,
  drivePlain,
  exportsAll,
  sharing,
  logo,
  scanning,
  isOperator,
  now: renderedAt,
}: SettingsProps) {
  const now = useClock(renderedAt);
  const [devices, setDevices] = useState(initialDevices);
  const [twoStep, setTwoStep] = useState(initialTwoStep);
  const [passkeys, setPasskeys] = useState(initialPasskeys);
  const [codes, setCodes] = useState<string[]>();
  // A password change disconnects all programs.
  const [passwordChanged, setPasswordChanged] = useState(false);
  const keepCurrentDevice = () => setDevices(devices.filter(({ is_current }) => is_current));
  return (
    <>
      <Section id="profile" title={t.profile} about={t.profileAbout}>
        <ProfileForm
          viewer={viewer}
          pendingEmail={pendingEmail}
          mayRenameFirm={viewer.permissions.includes('team.manage')}
        />
      </Section>
      <Section id="password" title={common.password} about={t.passwordAbout}>
        <PasswordForm
          email={viewer.email}
          onChanged={() => {
            keepCurrentDevice();
            setPasswordChanged(true);
          }}
        />
      </Section>
      <Section id="two-step" title={t.twoStep} about={t.twoStepAbout}>
        <TwoStep status={twoStep} hasPasskeys={passkeys.length > 0} onChange={setTwoStep} />
      </Section>
      {(passkeysAvailable || passkeys.length > 0) && (
        <Section id="passkeys" title={keys.title} about={keys.about}>
          <Passkeys
            passkeys={passkeys}
            available={passkeysAvailable}
            hasCodes={twoStep.enabled_at !== null}
            now={now}
            onAdded={({ passkey, recovery_codes }) => {
              setPasskeys([...passkeys, passkey]);
              if (!recovery_codes) return;
              setTwoStep({ ...twoStep, recovery_codes_left: recovery_codes.length });
              setCodes(recovery_codes);
            }}
            onChange={setPasskeys}
          />
          {codes && (
            <RecoveryCodes
              codes={codes}
              focusAfter="#passkeys button:not(li *)"
              onClose={() => setCodes(undefined)}
            />
          )}
        </Section>
      )}
      <Section id="devices" title={t.devices} about={t.devicesAbout}>
        <Devices devices={devices} now={now} onChange={setDevices} />
        {!passwordChanged && <Programs programs={programs} appName={appName} now={now} />}
      </Section>
      {appPasswords && (
        <Section id="app-passwords" title={apps.title} about={apps.about}>
          <AppPasswords
            passwords={appPasswords}
            address={driveAddress}
            plain={drivePlain}
            userId={viewer.id}
            email={viewer.email}
            now={now}
          />
        </Section>
      )}
      <Section id="theme" title={t.appearance} about={t.appearanceAbout}>
        <ThemeChoice />
      </Section>
      {logo && (
        <Section id="logo" title={t.logo} about={t.logoAbout}>
          <Logo logo={logo} firm={viewer.firm_name} />
        </Section>
      )}
      {sharing && (
        <Section id="sharing" title={sharingTexts.settingsTitle} about={sharingTexts.settingsAbout}>
          <Sharing settings={sharing} />
        </Section>
      )}
      {scanning && (
        <Section
          id="scanning"
          title={quarantine.scanning}
          about={quarantine.noneAbout[scanning.scanning ? (scanning.all ? 'all' : 'outside') : 'off']}
        >
          <a href="/quarantine" className={buttonClass('secondary')}>
            {quarantine.openQuarantine}
          </a>
        </Section>
      )}
      {isOperator && (
        <Section id="backups" title={backups.backups} about={backups.settingsAbout}>
          <a href="/backups" className={buttonClass('secondary')}>
            {backups.open}
          </a>
        </Section>
      )}
      {exportsAll && (
        <Section id="export" title={t.yourData} about={t.yourDataAbout}>
          <Exports />
        </Section>
      )}
      {viewer.permissions.includes('history.read') && (
        <Section id="history" title={t.history} about={t.historyAbout}>
          <a href="/history" className={buttonClass('secondary')}>
            {openHistory}
          </a>
        </Section>
      )}
      {isOperator && (
        <Section id="system" title={systemTexts.system} about={systemTexts.systemAbout}>
          <a href="/system" className={buttonClass('secondary')}>
            {systemTexts.openSystem}
          </a>
        </Section>
      )}
    </>
  );
}

export const Settings = withErrorBoundary(SettingsIsland);
