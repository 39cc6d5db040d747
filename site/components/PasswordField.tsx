import { useState } from 'react';
import { Eye, EyeOff } from 'lucide-react';
import * as common from '#messages/common.ts';
import { IconButton } from './IconButton.tsx';
import type { TextFieldProps } from './TextField.tsx';
import { TextField } from './TextField.tsx';

/** A password field with a button that shows or hides the password. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      spellCheck="false"
      autoCorrect="off"
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <IconButton
          label={shown ? common.hidePassword : common.showPassword}
          size="sm"
          onPress={() => setShown(!shown)}
          className="pointer-coarse:size-9"
        >
          {shown ? <EyeOff aria-hidden size={16} /> : <Eye aria-hidden size={16} />}
        </IconButton>
      }
    />
  );
}
