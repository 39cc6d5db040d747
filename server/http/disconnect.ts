const DISCONNECT_CODES = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_HTTP_REQUEST_TIMEOUT',
  // Of HTTP/2: also when a client that was refused sends less than it announced, as curl does.
  'ERR_HTTP2_STREAM_ERROR',
  'HPE_INVALID_EOF_STATE',
]);

/** Whether the error only means that the client closed the connection. */
export const isDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISCONNECT_CODES.has(String(error.code));
