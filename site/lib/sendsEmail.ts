/** Whether the server sends e-mails; if not, the screens offer links to copy and send. */
export const sendsEmail = (): boolean => document.body.dataset['sendsEmail'] !== 'false';
