const GONE = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'HPE_INVALID_EOF_STATE',
]);

/** Whether the error only says that the other end of the connection went away. */
export const isDisconnect = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && GONE.has(String(error.code));
