import type { WriteEmail } from '../emails.ts';
import { hello, notYou } from '../emails.ts';

export const passkeyAdded =
  (name: string): WriteEmail =>
  (facts) => ({
    kind: 'auth.passkey_added',
    email: {
      subject: 'A passkey was added',
      parts: [
        hello(facts),
        `On ${facts.at} the passkey “${name}” was added to your account. Whoever holds this device and can unlock it can sign in without your password. You can remove it under Settings at any time.`,
        'If this was not you, remove it under Settings, then set a new password. This signs out every device.',
        ...notYou(facts).slice(1),
      ],
    },
  });

export const passkeyRemoved =
  (name: string, isSecondStepLeft: boolean): WriteEmail =>
  (facts) => ({
    kind: 'auth.passkey_removed',
    email: {
      subject: 'A passkey was removed',
      parts: [
        hello(facts),
        `On ${facts.at} the passkey “${name}” was removed from your account. ${
          isSecondStepLeft
            ? 'It no longer signs in.'
            : 'It was the last one, so your password alone is enough to sign in now, and your recovery codes no longer work.'
        }`,
        ...notYou(facts),
      ],
    },
  });
