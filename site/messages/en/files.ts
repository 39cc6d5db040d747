// Kinds of files

export const folder = 'Folder';
export const pdf = 'PDF';
export const document = 'Document';
export const spreadsheet = 'Spreadsheet';
export const presentation = 'Presentation';
export const image = 'Image';
export const video = 'Video';
export const audio = 'Audio';
export const archive = 'Archive';
export const text = 'Text';
export const data = 'Data';
export const taxReturn = 'Tax return';
export const certificate = 'Certificate or key';
export const drawing = 'Drawing';
export const design = 'Design';
export const file = 'File';
