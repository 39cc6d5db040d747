/** Whether e-mails leave the server; where they do not, whoever wants to reach somebody is given a link to send. */
export const sendsEmail = (): boolean => document.body.dataset['sendsEmail'] !== 'false';
