/** How this server gets its HTTPS certificate. */
export type HttpsSettings = { httpPort: number | null } & (
  | { kind: 'files'; cert: string; key: string }
  | { kind: 'acme'; name: string; directory: string; email: string }
  | { kind: 'local' }
);
