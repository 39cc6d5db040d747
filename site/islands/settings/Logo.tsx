import { useRef, useState } from 'react';
import { ImageUp } from 'lucide-react';
import type { LogoView } from '#server/branding/contract.ts';
import { LOGO_TYPES } from '#server/branding/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/settings.ts';
import { Button } from '../../components/Button.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';

/** The firm's logo on the pages for people outside. */
export function Logo({ logo, firm }: { logo: LogoView; firm: string }) {
  const [url, setUrl] = useState(logo.url);
  const input = useRef<HTMLInputElement>(null);
  const { busy, fault, submit } = useSaving(t.logoFailed);
  const upload = (file: File) =>
    submit(async () => {
      const form = new FormData();
      form.append('file', file);
      setUrl((await api.put<LogoView>('/api/firm/logo', form)).url);
      toast.success(t.logoSaved);
    })();
  const remove = submit(async () => {
    setUrl((await api.delete<LogoView>('/api/firm/logo')).url);
    toast.success(t.logoRemoved);
  });
  return (
    <div className="flex flex-col items-start gap-4">
      <ErrorAlert error={fault} />
      {url && (
        <img
          src={url}
          alt={t.logoOf(firm)}
          className="h-16 w-auto max-w-60 rounded-md border border-line bg-white object-contain p-2"
        />
      )}
      <input
        ref={input}
        type="file"
        aria-label={t.logoFile}
        accept={LOGO_TYPES.join()}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void upload(file);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          busy={busy}
          busyLabel={common.saving}
          icon={<ImageUp aria-hidden size={16} />}
          onPress={() => input.current?.click()}
        >
          {url ? t.logoChange : t.logoChoose}
        </Button>
        {url && (
          <Button variant="danger-quiet" isDisabled={busy} onPress={() => void remove()}>
            {t.logoRemove}
          </Button>
        )}
      </div>
    </div>
  );
}
