/** How this server gets the certificate for HTTPS of its own. */
export type HttpsSettings = { httpPort: number | null } & (
  | { kind: 'files'; cert: string; key: string }
  | { kind: 'acme'; name: string; directory: string; email: string }
  | { kind: 'local' }
);
