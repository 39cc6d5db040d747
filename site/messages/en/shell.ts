// nav.ts
export const dashboard = 'Dashboard';
export const documents = 'Documents';
export const clients = 'Clients';
export const recentFiles = 'Recent Files';
export const recent = 'Recent';
export const storage = 'Storage';
export const settings = 'Settings';
export const help = 'Help';
